{# A := D A D^-1, the real diagonal D a column. #}
{% from "tile/shared_work.c" import own with context %}
{% set A, D = body.views %}
{% set n = body.size.n %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_vec away = BB_ZEROS;
    bb_mask some;
    for (int64_t i = 0; i < {{ n }}; i++) {
        bb_elem d;
        BB_GET(d, D + {{ D.at("i", 0) }}, {{ D.im }});
        BB_MAX(away, BB_ABS(BB_RE(d) - 1));
    }
    BB_GREATER(some, away, BB_ZEROS);
    {{ own("j", 0, "(BB_SOME(some) ? %s : 0)" | format(n)) }} {
        bb_elem d;
        BB_GET(d, D + {{ D.at("j", 0) }}, {{ D.im }});
        const bb_vec inverse = 1 / BB_RE(d);
        for (int64_t i = 0; i < {{ n }}; i++) {
            bb_elem x;
            BB_GET(d, D + {{ D.at("i", 0) }}, {{ D.im }});
            BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
            BB_TIMES_REAL(x, BB_RE(d) * inverse);
            BB_PUT(A + {{ A.at("i", "j") }}, {{ A.im }}, x);
        }
    }
}
