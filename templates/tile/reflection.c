{# Reflections I - tau v v*: v is zero above row p, one there, and below what stands in column p of V. #}
{% from "tile/shared_work.c" import own, team with context %}
{% set together = 4 %}
{# One of them done to some columns of a matrix at once, from j on: each less v times tau v* c. The zero leaves those
   compilers that fuse multiplications and additions one way only. #}
{% macro several(v, V, c, C, p, m, j, count, tau, conj) %}
            bb_elem {% for q in range(count) %}w{{ q }}, t{{ q }}{{ ", " if not loop.last }}{% endfor %};
{% for q in range(count) %}
            BB_GET(w{{ q }}, {{ c }} + {{ C.at(p, (j, q)) }}, {{ C.im }});
{% endfor %}
            for (int64_t i = {{ (p, 1) | index }}; i < {{ m }}; i++) {
                bb_elem v;
                BB_GET(v, {{ v }} + {{ V.at("i", p) }}, {{ V.im }});
{% for q in range(count) %}
                {
                    bb_elem c;
                    BB_GET(c, {{ c }} + {{ C.at("i", (j, q)) }}, {{ C.im }});
                    BB_FMA(w{{ q }}, v, c, {{ 1 - V.conj }}, 0);
                }
{% endfor %}
            }
{% for q in range(count) %}
            BB_ZERO(t{{ q }});
            BB_FMA(t{{ q }}, w{{ q }}, {{ tau }}, 0, {{ conj | int }});
            BB_GET(w{{ q }}, {{ c }} + {{ C.at(p, (j, q)) }}, {{ C.im }});
            BB_SUB(w{{ q }}, t{{ q }});
            BB_PUT({{ c }} + {{ C.at(p, (j, q)) }}, {{ C.im }}, w{{ q }});
{% endfor %}
            for (int64_t i = {{ (p, 1) | index }}; i < {{ m }}; i++) {
                bb_elem v;
                BB_GET(v, {{ v }} + {{ V.at("i", p) }}, {{ V.im }});
{% for q in range(count) %}
                {
                    bb_elem c;
                    BB_GET(c, {{ c }} + {{ C.at("i", (j, q)) }}, {{ C.im }});
                    BB_FMS(c, v, t{{ q }}, {{ V.conj | int }}, 0);
                    BB_PUT({{ c }} + {{ C.at("i", (j, q)) }}, {{ C.im }}, c);
                }
{% endfor %}
            }
{% endmacro %}
{# The same for all columns from `first` to n, of a team for those of each lane. #}
{% macro reflect(v, V, c, C, p, m, first, n, tau, conj) %}
{% if team %}
        {{ own("j", first, n) }} {
{{ several(v, V, c, C, p, m, "j", 1, tau, conj) }}
        }
{% else %}
        {
            int64_t j = {{ first | index }};
            for (; j + {{ together }} <= {{ n }}; j += {{ together }}) {
{{ several(v, V, c, C, p, m, "j", together, tau, conj) }}
            }
            for (; j < {{ n }}; j++) {
{{ several(v, V, c, C, p, m, "j", 1, tau, conj) }}
            }
        }
{% endif %}
{% endmacro %}
