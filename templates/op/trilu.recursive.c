{# Columns from the right: L of a block of them is set aside, with what it takes of those behind. #}
{% set w, rs, cs, rows = schedule.stop, node.rs("A"), node.cs("A"), node.memory.strides.row_major %}
    const int64_t pitch = (n + 7) / 8 * 8;
    bb_real *const L = (bb_real *)aligned_alloc(64, (size_t)pitch * {{ w * parts }} * sizeof *L);
    int64_t failed = L ? 0 : -1;
    for (int64_t j = (n - 1) / {{ w }} * {{ w }}; j >= 0 && !failed; j -= {{ w }}) {
        const int64_t cols = n - j < {{ w }} ? n - j : {{ w }}, behind = n - j - cols;
        bb_real *const panel = {{ node.memory.at(node.op.operand("A"), "0", "j") }};
        for (int64_t c = 0; c < cols; c++)
            for (int64_t i = j + c + 1; i < n; i++)
                for (int part = 0; part < {{ parts }}; part++) {
                    bb_real *const from = panel + (i * {{ rs }} + c * {{ cs }}) * {{ parts }} + part;
                    L[({{ "(i - j) * " ~ w ~ " + c" if rows else "i - j + c * pitch" }}) * {{ parts }} + part] = *from;
                    *from = 0;
                }
        if (behind)
            failed = {{ node.plain_product }}(threads, n, cols, behind, {{ node.scalar(-1) }}, {{ node.scalar(1) }},
                {{ node.memory.at(node.op.operand("A"), "0", "(j + cols)") }}, {{ node.memory.given(node.op.operand("A")) | join(", ") }},
                L + cols * {{ (w if rows else 1) * parts }}, {{ node.memory.inside(w if rows else "pitch") }}, panel, {{ node.memory.given(node.op.operand("A")) | join(", ") }});
        bb_triangular(1, cols, n, {{ node.scalar(1) }}, L, {{ "1, " ~ w if rows else "pitch, 1" }}, 1, 0, 1, panel, {{ cs }}, {{ rs }});
    }
    free(L);
    return failed;
