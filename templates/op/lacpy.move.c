{# B := A of one matrix, run by run. #}
{% set A, B = move.operands %}
{% if B.strides.leading %}
        for (int64_t c = 0; c < {{ B.stored_cols }}; c++)
    {% endif %}
        __builtin_memcpy({{ B.run }}, {{ A.run }}, {{ B.column_reals }} * sizeof(bb_real));
