{# What threads are given: scratch or sums, the arguments, and how much there is to do. #}
{% if pieces %}
    /* Threads share each of few matrices by its {{ pieces.of }}s. */
    const int64_t slices = num_threads != 1 && batch_count <= {{ pieces.batch }} ? {{ pieces.count }} : 1;
{% endif %}
{% if scratch.heap %}
    char *work = given ? given : (char *)aligned_alloc(64, {{ scratch.size }});
    if (!work)
        return 1;
{% if shared %}
    bb_args g = { {{ initializers }}, &work, 1 };
{% else %}
    const bb_args g = { {{ initializers }}, &work{{ ", slices" if pieces }} };
{% endif %}
{% elif sliced %}
    /* Threads share each of few and large matrices: C by columns or, where it is high, by rows. */
    const int high = {{ sliced.high }};
    const int64_t length = high ? {{ body.size.m }} : {{ body.size.n }};
    const int64_t slice = high ? {{ sliced.rows }} : {{ sliced.columns }};
    const int64_t slices = num_threads != 1 && {{ sliced.large }} ? (length + slice - 1) / slice : 1;
    const bb_args g = { {{ initializers }}, slices };
{% elif pieces %}
    const bb_args g = { {{ initializers }}, slices };
{% elif sections %}
    /* of a few vectors threads share the parts; of more, each is done by one */
    bb_sums sums[{{ few }}];
    const int64_t each = batch_count > {{ few }} ? 1 : {{ units }};
    for (int64_t p = 0; p < batch_count && batch_count <= {{ few }}; p++)
        sums[p].left = each;
    const bb_args g = { {{ initializers }}, batch_count > {{ few }} ? NULL : sums };
{% elif divided %}
    /* Of a few matrices threads share sections of rows, whose sums have places of their own; where there is no memory,
       and of more, whole rows. */
    bb_sums sums[{{ few }}];
    const int64_t room = batch_count > {{ few }} ? 0 : BB_ROOM;
    bb_real *part = NULL;
#if defined(BB_POOL) || defined(_OPENMP)
    if (room)
        part = (bb_real *)aligned_alloc(64, (size_t)(batch_count * room) * sizeof(bb_real));
#endif
    const int64_t each = part ? {{ units }} : BB_ROWS;
    for (int64_t p = 0; p < batch_count && part; p++) {
        sums[p].left = each;
        sums[p].part = part + p * room;
    }
    const bb_args g = { {{ initializers }}, part ? sums : NULL };
{% else %}
    const bb_args g = { {{ initializers }} };
{% endif %}
{% if pieces and moves %}
    if (slices > 1)
        bb_moved(&g, 0, batch_count);
{% endif %}
{% set of_each = "slices" if sliced or pieces else "each" if apart_sums else units %}
{% if units or sliced or pieces %}
    const int64_t count = batch_count * {{ of_each }};
{% endif %}
