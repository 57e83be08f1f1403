{# The elements above the diagonal := 0; of a triangle stored alone they have no place. #}
{% from "tile/columns.c" import each_column with context %}
{% set A = body.views[0] %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% if not A.packed %}
    bb_elem zero;
    BB_ZERO(zero);
    {{ each_column(1) }}
        for (int64_t i = 0; i < j; i++)
            BB_PUT(A + {{ A.at("i", "j") }}, {{ A.im }}, zero);
{% endif %}
}
