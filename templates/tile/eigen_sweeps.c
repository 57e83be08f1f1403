{# Jacobi's method in straight lines: sweeps of rotations, each of which makes zero of one element, until none is more
   than rounding beside the two diagonal elements of its row and column. So small values of graded matrices are as
   accurate as large ones. #}
{% from "tile/eigen.c" import finite, value with context %}
{% set most_sweeps = 30 %}
{% macro a(i, j) %}{% if i < j %}a{{ j }}_{{ i }}{% else %}a{{ i }}_{{ j }}{% endif %}{% endmacro %}
{% macro v(i, j) %}v{{ i }}_{{ j }}{% endmacro %}
{% macro on(p, q) %}on{{ p }}_{{ q }}{% endmacro %}
{# Whether element (q, p) counts. #}
{% macro counts(p, q) %}
            bb_vec square{{ p }}_{{ q }} = BB_ZEROS;
            BB_ADD_SQUARE(square{{ p }}_{{ q }}, {{ a(q, p) }});
            const bb_vec beside{{ p }}_{{ q }} = BB_RE({{ a(p, p) }}) * BB_RE({{ a(q, q) }});
            const bb_vec small{{ p }}_{{ q }} = BB_ABS(beside{{ p }}_{{ q }}) * (BB_UNIT * BB_UNIT);
            const bb_ints large{{ p }}_{{ q }} = square{{ p }}_{{ q }} > small{{ p }}_{{ q }};
            const bb_ints {{ on(p, q) }} = large{{ p }}_{{ q }} & (square{{ p }}_{{ q }} > BB_TINY);
{% endmacro %}
{% macro rotate(n, p, q) %}
                {
                    bb_vec c, factor, shift;
                    const bb_vec apart = BB_RE({{ a(q, q) }}) - BB_RE({{ a(p, p) }});
                    bb_rotation(&c, &factor, &shift, &apart, &square{{ p }}_{{ q }}, &{{ on(p, q) }});
                    bb_elem s = {{ a(q, p) }};
                    BB_SCALED(s, factor);
                    BB_RE({{ a(p, p) }}) -= shift;
                    BB_RE({{ a(q, q) }}) += shift;
                    BB_REPLACE({{ a(q, p) }}, {{ on(p, q) }}, zero);
{% for i in range(n) if i not in (p, q) %}
                    BB_TURN_BY({{ a(p, i) }}, {{ a(q, i) }}, c, s, {{ (i < p) | int }}, {{ (p < i and i < q) | int }});
{% endfor %}
{% for i in range(n if body.vectors else 0) %}
                    BB_TURN_BY({{ v(i, p) }}, {{ v(i, q) }}, c, s, 0, 0);
{% endfor %}
                }
{% endmacro %}
{% macro decompose(A, low, W) %}
{% set n = body.size.n %}
    bb_elem {% for j in range(n) %}{% for i in range(j, n) %}{{ a(i, j) }}, {% endfor %}{% endfor %}zero;
    bb_vec largest = BB_ZEROS, lack = BB_ZEROS, down, up;
    BB_ZERO(zero);
{% for j in range(n) %}
{% for i in range(j, n) %}
    BB_GET({{ a(i, j) }}, A + {{ low.at(i, j) }}, {{ low.im }});
{% if i == j %}
    BB_REAL({{ a(i, j) }});
{% elif low.conj %}
    BB_CONJ({{ a(i, j) }});
{% endif %}
    BB_SURVEY(largest, lack, {{ a(i, j) }});
{% endfor %}
{% endfor %}
{{ finite() }}
{% for j in range(n) %}
{% for i in range(j, n) %}
    BB_SCALED({{ a(i, j) }}, down);
    BB_REPLACE({{ a(i, j) }}, bad, zero);
{% endfor %}
{% endfor %}
{% if body.vectors %}
    bb_elem one = zero{% for j in range(n) %}{% for i in range(n) %}, {{ v(i, j) }} = zero{% endfor %}{% endfor %};
    BB_SET_REAL(one, BB_ZEROS + 1);
{% for i in range(n) %}
    {{ v(i, i) }} = one;
{% endfor %}
{% endif %}
{% if n > 1 %}
    for (int sweep = 0;; sweep++) {
        bb_ints turned = BB_ZEROS > 0;
{% for pairs in tournament(n) %}
        {
{% for p, q in pairs %}
{{ counts(p, q) }}
{% endfor %}
            const bb_ints some = {% for p, q in pairs %}{{ on(p, q) }}{{ " | " if not loop.last }}{% endfor %};
            turned |= some;
            if (BB_HOLDS(some)) {
{% for p, q in pairs %}
{{ rotate(n, p, q) }}
{% endfor %}
            }
        }
{% endfor %}
        if (!BB_HOLDS(turned))
            break;
        if (sweep == {{ most_sweeps - 1 }}) { /* what is left is counted */
{% for p in range(n) %}
{% for q in range(p + 1, n) %}
            {
{{ counts(p, q) }}
                BB_COUNT(*info, {{ on(p, q) }});
            }
{% endfor %}
{% endfor %}
            break;
        }
    }
{% endif %}
{% for i, j in network(n) %}
    {
        const bb_ints exchange = BB_RE({{ a(i, i) }}) > BB_RE({{ a(j, j) }});
        BB_SWAP_REAL(BB_RE({{ a(i, i) }}), BB_RE({{ a(j, j) }}), exchange);
{% for k in range(n if body.vectors else 0) %}
        BB_SWAP({{ v(k, i) }}, {{ v(k, j) }}, exchange);
{% endfor %}
    }
{% endfor %}
{% for i in range(n) %}
{{ value(W, i, "BB_RE(" ~ a(i, i) ~ ")") }}
{% endfor %}
{% if body.vectors %}
{% for j in range(n) %}
{% for i in range(n) %}
    BB_SCALED({{ v(i, j) }}, whole);
    BB_PUT(A + {{ A.at(i, j) }}, {{ A.im }}, {{ v(i, j) }});
{% endfor %}
{% endfor %}
{% endif %}
{% endmacro %}
