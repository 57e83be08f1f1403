{# The elements above the diagonal := 0. #}
{% set A = body.views[0] %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    for (int64_t j = lane; j < {{ body.size.n }}; j += {{ schedule.lanes }})
        for (int64_t i = 0; i < j; i++) {
            bb_elem zero;
            BB_ZERO(zero);
            BB_PUT(A + {{ A.at("i", "j") }}, {{ A.im }}, zero);
        }
}
