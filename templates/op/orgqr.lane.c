{# The reflections done to the first columns of I, backwards, each in the place of its v. Columns that have none, and so
   no row beyond the last either, begin as those of I. #}
{% from "tile/reflection.c" import reflect with context %}
{% from "tile/shared_work.c" import first_lane, meet, own with context %}
{% set A, TAU = body.views %}
{% set m, n = body.size.m, body.size.n %}
{% set k = least(least(body.size.k, m), n) %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_elem zero, one;
    BB_ZERO(zero);
    BB_ZERO(one);
    BB_SET_REAL(one, BB_ZEROS + 1);
    {{ own("j", k, n) }}
        for (int64_t i = 0; i < {{ m }}; i++) {
            if (i == j)
                BB_PUT(A + {{ A.at("i", "j") }}, {{ A.im }}, one);
            else
                BB_PUT(A + {{ A.at("i", "j") }}, {{ A.im }}, zero);
        }
    for (int64_t p = {{ (k, -1) | index }}; p >= 0; p--) {
        bb_elem tau, head = one, minus = zero;
        BB_GET(tau, TAU + {{ TAU.at("p", 0) }}, {{ TAU.im }});
{{ reflect("A", A, "A", A, "p", m, ("p", 1), n, "tau", false) }}
        {{ meet() }}
        BB_SUB(head, tau);
        BB_SUB(minus, tau);
        {{ own("i", 0, "p") }}
            BB_PUT(A + {{ A.at("i", "p") }}, {{ A.im }}, zero);
        {{ first_lane() }}
        BB_PUT(A + {{ A.at("p", "p") }}, {{ A.im }}, head);
        {{ own("i", ("p", 1), m) }} {
            bb_elem x;
            BB_GET(x, A + {{ A.at("i", "p") }}, {{ A.im }});
            BB_TIMES(x, minus);
            BB_PUT(A + {{ A.at("i", "p") }}, {{ A.im }}, x);
        }
        {{ meet() }}
    }
}
