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
        c.selfadjointView<Eigen::Lower>().rankUpdate(a);
    }
    return 0;
}
