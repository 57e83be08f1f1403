{# Singular values by rotations of columns, after Hestenes, until they are orthogonal: left vectors times values. All
   elements have names, and sweeps are straight lines: rounds of a tournament, whose rotations wait for no other. #}
{% from "tile/singular.c" import apart, arrays, vectors with context %}
{% from "tile/shared_work.c" import team with context %}
{% from "tile/singular_lengths.c" import completion, lengths, ordered, v, x with context %}
{% set passed %}u, {{ "v, " if vectors }}{{ body.reals("s") }}{% endset %}
{% set most_sweeps = 30 %}
{% macro pair(p, q) %}{{ p }}_{{ q }}{% endmacro %}
{# Whether columns p and q are not nearly orthogonal, and neither is as good as zero. #}
{% macro counts(rows, p, q, k) %}
            bb_elem dot{{ k }};
            bb_vec square{{ k }} = BB_ZEROS, limit{{ k }} = s{{ p }} * s{{ q }};
            BB_ZERO(dot{{ k }});
{% for i in range(rows) %}
            BB_FMA(dot{{ k }}, {{ x(i, p) }}, {{ x(i, q) }}, 1, 0);
{% endfor %}
            BB_ADD_SQUARE(square{{ k }}, dot{{ k }});
            limit{{ k }} *= (bb_real)rows * (bb_real){{ compute.eps * compute.eps * parts }};
            const bb_ints on{{ k }} = (square{{ k }} > limit{{ k }}) & (s{{ p }} >= least) & (s{{ q }} >= least);
{% endmacro %}
{# The rotation of Jacobi, in lanes where that is so: the sums of squares change with the columns. #}
{% macro rotation(p, q, k) %}
                bb_vec c{{ k }}, factor{{ k }}, shift{{ k }};
                const bb_vec apart{{ k }} = s{{ q }} - s{{ p }};
                bb_rotation(&c{{ k }}, &factor{{ k }}, &shift{{ k }}, &apart{{ k }}, &square{{ k }}, &on{{ k }});
                s{{ p }} -= shift{{ k }};
                s{{ q }} += shift{{ k }};
                BB_SCALED(dot{{ k }}, factor{{ k }});
{% endmacro %}
{# In a round vectors on the right come last: the next one need not wait for them. #}
{% macro sweeps(rows, cols) %}
    for (int sweep = 0;; sweep++) {
        bb_ints turned = BB_ZEROS > 0;
{% for j in range(cols) %}
        s{{ j }} = BB_ZEROS;
{% for i in range(rows) %}
        BB_ADD_SQUARE(s{{ j }}, {{ x(i, j) }});
{% endfor %}
{% endfor %}
{% for pairs in tournament(cols) if pairs %}
        {
{% for p, q in pairs %}
{{ counts(rows, p, q, pair(p, q)) }}
{% endfor %}
            const bb_ints some = {% for p, q in pairs %}on{{ pair(p, q) }}{{ " | " if not loop.last }}{% endfor %};
            turned |= some;
            if (BB_HOLDS(some)) {
{% for p, q in pairs %}
{{ rotation(p, q, pair(p, q)) }}
{% endfor %}
{% for p, q in pairs %}
{% for i in range(rows) %}
                BB_TURN_BY({{ x(i, p) }}, {{ x(i, q) }}, c{{ pair(p, q) }}, dot{{ pair(p, q) }}, 1, 0);
{% endfor %}
{% endfor %}
{% for p, q in pairs if vectors %}
                {{ "BB_FORGET();" if not target.simd }}
{% for i in range(cols) %}
                BB_TURN_BY({{ v(i, p) }}, {{ v(i, q) }}, c{{ pair(p, q) }}, dot{{ pair(p, q) }}, 0, 0);
{% endfor %}
{% endfor %}
            }
        }
{% endfor %}
        if (!BB_HOLDS(turned))
            break;
        if (sweep == {{ most_sweeps - 1 }}) {
            BB_REPORT(*info, turned, (bb_int)cols);
            break;
        }
    }
{% endmacro %}
{% macro lines(name, rows, cols) %}
{% if vectors %}
{{ completion(rows, cols) }}

{% endif %}
static {{ apart }} void {{ body.name }}_{{ name }}({{ arrays }}, bb_ints *const info)
{
    enum { rows = {{ rows }}, cols = {{ cols }}{{ ", side = %d" | format(cols + 1 - cols % 2) if team }} };
    const bb_vec least = BB_ZEROS + (bb_real){{ compute.least_square }};
{% if vectors %}
    bb_elem zero, one;
    BB_ZERO(zero);
    one = zero;
    BB_SET_REAL(one, BB_ZEROS + 1);
{% endif %}
{% for j in range(cols) %}
    bb_vec s{{ j }};
{% for i in range(rows) %}
    bb_elem {{ x(i, j) }} = u[{{ j }} * rows + {{ i }}];
{% endfor %}
{% for i in range(cols if vectors else 0) %}
    {{ "bb_elem " if target.simd }}{{ v(i, j) }} = {{ "one" if i == j else "zero" }};
{% endfor %}
{% endfor %}
{{ sweeps(rows, cols) }}
{{ ordered(rows, cols) }}
{{ lengths(rows, cols) }}
{% for j in range(cols if vectors and target.simd else 0) %}
{% for i in range(cols) %}
    v[{{ j }} * cols + {{ i }}] = {{ v(i, j) }};
{% endfor %}
{% endfor %}
}
{% endmacro %}
{% macro functions() %}
{{ lines("solve", [body.size.m, body.size.n] | max, [body.size.m, body.size.n] | min) }}
{% endmacro %}
