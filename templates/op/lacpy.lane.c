{# B := op(A) for one matrix per lane. Of a triangle stored alone the other elements are zero, or have no place. #}
{% set A, B = body.views %}
{% macro inside(uplo) %}{{ "i >= j" if uplo == "L" else "i <= j" }}{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    for (int64_t j = 0; j < {{ body.size.n }}; j++) {
        for (int64_t i = 0; i < {{ body.size.m }}; i++) {
{% if B.packed %}
            if (!({{ inside(B.packed) }}))
                continue;
{% endif %}
            bb_elem x;
{% if A.triangle and A.triangle != B.packed %}
            BB_ZERO(x);
            if ({{ inside(A.triangle) }})
                BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
{% else %}
            BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
{% endif %}
{% if A.conj %}
            BB_CONJ(x);
{% endif %}
            BB_PUT(B + {{ B.at("i", "j") }}, {{ B.im }}, x);
        }
    }
}
