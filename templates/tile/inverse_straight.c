{# X := A^-1 in registers: L and U, then U^-1, times L^-1 from the last column on, whose columns are exchanged in the
   end as rows were. The bits are those of getrf and getri, one after the other. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/lu_registers.c" import factor, pivots with context %}
{% macro invert(A, X, n) %}
{{ t.load("A", A, n, n, 0, 0) }}
{{ inverted(n) }}
{{ t.store("X", X, n, n, 0, 0) }}
{% call failed() %}
{{ factored(A, n) }}
{% for j in range(n) %}
{% for i in range(n) %}
        {
            bb_elem x;
            BB_GET(x, X + {{ X.at(i, j) }}, {{ X.im }});
            BB_TAKE_ELEM(x, singular, c{{ j }}_{{ i }});
            BB_PUT(X + {{ X.at(i, j) }}, {{ X.im }}, x);
        }
{% endfor %}
{% endfor %}
{% endcall %}
{% endmacro %}
{# What is done where some matrix is singular, whose factors are the result: rare enough to factor it once more. #}
{% macro failed() %}
    {
        bb_mask regular, singular;
        bb_vec fails = BB_ZEROS + 1;
        BB_REGULAR(regular, *info);
        BB_TAKE(fails, regular, BB_ZEROS);
        BB_GREATER(singular, fails, BB_ZEROS);
        if (__builtin_expect(BB_SOME(singular), 0)) {
{{ caller() }}
        }
    }
{% endmacro %}
{% macro factored(A, n) %}
{{ t.load("A", A, n, n, 0, 0) }}
{{ pivots(n, false) }}
{{ factor(n, n, numbered=false) }}
{% for p in range(n) %}
    (void)inverse{{ p }};
{% endfor %}
{% endmacro %}
{# The tile becomes its inverse. #}
{% macro inverted(n) %}
{{ pivots(n, false) }}
{{ factor(n, n, numbered=false) }}
{% for j in range(n) %}
{% for i in range(j) %}
    {
        bb_elem x;
        BB_ZERO(x);
{% for k in range(i, j) %}
        BB_FMS(x, c{{ j }}_{{ k }}, {{ "inverse" ~ i if k == i else "c" ~ k ~ "_" ~ i }}, 0, 0);
{% endfor %}
        BB_TIMES(x, inverse{{ j }});
        c{{ j }}_{{ i }} = x;
    }
{% endfor %}
{% endfor %}
{% for i in range(n) %}
    c{{ i }}_{{ i }} = inverse{{ i }};
{% endfor %}
{% for j in range(n - 2, -1, -1) %}
    { /* column {{ j }} of L */
{% for i in range(j + 1, n) %}
        const bb_elem l{{ i }} = c{{ j }}_{{ i }};
        BB_ZERO(c{{ j }}_{{ i }});
{% endfor %}
{% for s in range(n - 1, j, -1) %}
{% for i in range(n) %}
        BB_FMS(c{{ j }}_{{ i }}, c{{ s }}_{{ i }}, l{{ s }}, 0, 0);
{% endfor %}
{% endfor %}
    }
{% endfor %}
{% for p in range(n - 2, -1, -1) %}
{% for i in range(p + 1, n) %}
    {
        bb_mask taken;
        BB_EQUAL(taken, at{{ p }}, BB_ZEROS + {{ i }});
{% for r in range(n) %}
        {
            const bb_elem other = c{{ p }}_{{ r }};
            BB_TAKE_ELEM(c{{ p }}_{{ r }}, taken, c{{ i }}_{{ r }});
            BB_TAKE_ELEM(c{{ i }}_{{ r }}, taken, other);
        }
{% endfor %}
    }
{% endfor %}
{% endfor %}
{% endmacro %}
