{# The elements above the diagonal := 0; of a triangle stored alone they have no place. #}
{% set A = body.views[0] %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% if not A.packed %}
    bb_elem zero;
    BB_ZERO(zero);
    for (int64_t j = 1; j < {{ body.size.n }}; j++)
        for (int64_t i = 0; i < j; i++)
            BB_PUT(A + {{ A.at("i", "j") }}, {{ A.im }}, zero);
{% endif %}
}
