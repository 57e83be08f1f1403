{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
{% if m <= 16 %} {# faster than a triangular view #}
        b = a.lazyProduct(b).eval();
{% else %}
        b = a * b;
{% endif %}
    }
    return 0;
}
