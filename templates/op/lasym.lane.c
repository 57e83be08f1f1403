{# The elements above the diagonal := the conjugates of those below it. #}
{% from "tile/columns.c" import each_column with context %}
{% set A = body.views[0] %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    {{ each_column(0) }}
        for (int64_t i = j + 1; i < {{ body.size.n }}; i++) {
            bb_elem x;
            BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
{% if complex %}
            BB_CONJ(x);
{% endif %}
            BB_PUT(A + {{ A.at("j", "i") }}, {{ A.im }}, x);
        }
}
