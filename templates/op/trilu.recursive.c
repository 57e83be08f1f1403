{# Columns from the right: L of a block of them is set aside, with what it takes of those behind. #}
{% set w, memory, A = schedule.stop, node.memory, node.op.operand("A") %}
{% set rs, cs, rows = node.rs("A"), node.cs("A"), memory.strides.row_major %}
{% set rest, behind = memory.inside("rest", w if rows else "pitch"), memory.at(A, "0", "after") %}
{% set given, one = memory.given(A) | join(", "), node.scalar(1) %}
    const int64_t pitch = bb_aside(n), bytes = pitch * {{ w * parts }} * (int64_t)sizeof(bb_real);
    bb_real *const L = (bb_real *)(means.work ? means.work : aligned_alloc(64, (size_t)bytes));
    const bb_means others = { means.threads, means.work ? means.work + bytes : NULL };
    int64_t failed = L ? 0 : -1;
    for (int64_t j = (n - 1) / {{ w }} * {{ w }}; j >= 0 && !failed; j -= {{ w }}) {
        const int64_t cols = n - j < {{ w }} ? n - j : {{ w }}, after = j + cols, left = n - after;
        bb_real *const panel = {{ memory.at(A, "0", "j") }};
        bb_real *const rest = L + cols * {{ (w if rows else 1) * parts }};
        for (int64_t c = 0; c < cols; c++)
            for (int64_t i = j + c + 1; i < n; i++)
                for (int part = 0; part < {{ parts }}; part++) {
                    bb_real *const from = panel + (i * {{ rs }} + c * {{ cs }}) * {{ parts }} + part;
{% if rows %}
                    L[((i - j) * {{ w }} + c) * {{ parts }} + part] = *from;
{% else %}
                    L[(i - j + c * pitch) * {{ parts }} + part] = *from;
{% endif %}
                    *from = 0;
                }
        if (left)
            failed = {{ node.plain_product }}(others, n, cols, left, {{ node.scalar(-1) }}, {{ one }},
                                              {{ behind }}, {{ given }}, {{ rest }}, panel, {{ given }});
        bb_triangular(1, cols, n, {{ one }}, L, {{ "1, " ~ w if rows else "pitch, 1" }}, 1, 0, 1,
                      panel, {{ cs }}, {{ rs }});
    }
    if (!means.work)
        free(L);
    return failed;
