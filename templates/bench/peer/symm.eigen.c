{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
{% if complex %} {# for which there is no view #}
        c.noalias() {{ "+=" if beta else "=" }} a * b;
{% else %}
        c.noalias() {{ "+=" if beta else "=" }} a.selfadjointView<Eigen::Lower>() * b;
{% endif %}
    }
    return 0;
}
