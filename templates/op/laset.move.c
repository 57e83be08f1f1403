{# The strict triangle that uplo does not name := 0, the rest from where it is; columns are no shorter than a vector. #}
{% set A, B, n = move.operands[0], move.operands[-1], move.operands[0].stored_rows %}
{% set first, end = move.rows %}
        for (int64_t c = 0; c < {{ n }}; c++)
            for (int64_t r = {{ first }}; r < {{ end }}; r += {{ width }}) {
                const int64_t i = r <= {{ n - width }} ? r : {{ n - width }};
                const bb_ints rows = (bb_int)i + (bb_ints){ {{ lane_numbers | join(", ") }} };
                bb_vec x;
                BB_LOAD(x, {{ A.name }} + c * {{ A.row }} + i);
                x = (bb_vec)((bb_ints)x & (rows {{ ">=" if move.lower else "<=" }} (bb_int)c));
                BB_STORE({{ B.name }} + c * {{ B.row }} + i, x);
            }
