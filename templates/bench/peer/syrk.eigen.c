{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
{% if not beta %}
        c.triangularView<Eigen::Lower>().setZero();
{% endif %}
{% if complex %}
        c.triangularView<Eigen::Lower>() += a * a.transpose();
{% else %}
        c.selfadjointView<Eigen::Lower>().rankUpdate(a);
{% endif %}
    }
    return 0;
}
