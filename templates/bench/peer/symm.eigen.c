{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
{% if complex or m < 6 %} {# there is no complex view, and small products are faster without #}
        c.noalias() {{ "+=" if beta else "=" }} a * b;
{% else %}
        c.noalias() {{ "+=" if beta else "=" }} a.selfadjointView<Eigen::Lower>() * b;
{% endif %}
    }
    return 0;
}
