{# A = L L' of a vector of matrices that lie by themselves, of which only blocks on the diagonal go to lanes. #}
{% import "tile/cholesky_blocks.c" as c with context %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% for name in body.scratch.of(body.number) %}
    {{ body.array(name, "BB_ALIGNED") }}
{% endfor %}
{{ c.factored("T") }}
}
