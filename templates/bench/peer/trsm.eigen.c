{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
{% if n == 1 %} {# faster than on row-major matrices, up to four times #}
        const Eigen::Matrix<bb_element, M, M> copy(a);
        copy.triangularView<Eigen::Lower>().solveInPlace(b);
{% else %}
        a.triangularView<Eigen::Lower>().solveInPlace(b);
{% endif %}
    }
    return 0;
}
