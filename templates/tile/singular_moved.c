{# What brings matrices to the arrays of singular.c, calls what decomposes them, and brings results back. #}
{% from "tile/eigen.c" import each, finite, own with context %}
{% from "tile/shared_work.c" import meet, own as each_own, team with context %}
{% from "tile/singular.c" import const_elements, const_values, elements, known, to_lane, vectors with context %}
{# A matrix, or the transpose of a wide one, from A to the results. Its largest part comes to arrays as 2^20 to 2^21, so
   no square overflows, nor vanishes where it counts. What is not finite comes as zeros, and leaves as NaN. #}
{% macro decomposed(A, S, u, U, vt, VT, rows, cols, passed) %}
{% call each() %}
{{ brought(A, rows, cols) }}
{% endcall %}
    {{ body.name }}_solve({{ to_lane ~ (rows ~ ", " ~ cols ~ ", " if not known) }}{{ passed }}, info);
{% call each() %}
{{ own("S", body.apart.S) }}
        {{ const_values }}const found = {{ body.reals("s") }} + q * {{ cols }};
        {{ each_own("j", 0, cols) }} {
            const bb_vec value = found[j] * back[q];
            BB_STORE(own + {{ S.at("j", 0) }}, BB_ZEROS + value * ups[q]);
        }
{% endcall %}
{% if vectors %}
{{ returned(u, U, "u", rows, cols, lead(rows), "i", "j") }}
{{ returned(vt, VT, "v", cols, cols, lead(cols), "j", "i") }}
{% endif %}
{% endmacro %}
{# Elements from one column of an array to the next. #}
{% macro lead(rows) %}{{ "(%s | 1)" | format(rows) if team else rows }}{% endmacro %}
{% macro brought(A, rows, cols) %}
{{ own("A", body.apart.A, "const ") }}
        {{ elements }}const x = u + q * {{ rows }} * {{ cols }};
        bb_elem zero;
        bb_vec largest = BB_ZEROS, lack = BB_ZEROS, down, up, more;
        BB_ZERO(zero);
        for (int64_t j = 0; j < {{ cols }}; j++)
            for (int64_t i = 0; i < {{ rows }}; i++) {
                bb_elem y;
                BB_GET(y, own + {{ A.at("i", "j") }}, {{ A.im }});
                {{ "x[j * %s + i] = y;" | format(rows) if not team }}
                BB_SURVEY(largest, lack, y);
            }
{{ finite(vectors, "info[q]") }}
        largest *= down;
        bb_scale_of(&more, back + q, &largest); /* subnormal ones are still small */
        down *= (bb_real)0x1p20;
        back[q] *= (bb_real)0x1p-20;
        ups[q] = up;
{% if vectors %}
        wholes[q] = whole;
{% endif %}
{% if team %}
        {{ each_own("i", 0, rows) }}
            for (int64_t j = 0; j < {{ cols }}; j++) {
                const int64_t k = j * {{ lead(rows) }} + i;
                BB_GET(x[k], own + {{ A.at("i", "j") }}, {{ A.im }});
{{ scaled() }}
            }
        {{ meet() }}
{% else %}
        for (int64_t k = 0; k < {{ rows }} * {{ cols }}; k++) {
{{ scaled() }}
        }
{% endif %}
{% endmacro %}
{% macro scaled() %}
            BB_SCALED(x[k], down);
            BB_SCALED(x[k], more);
            BB_REPLACE(x[k], bad, zero);
{% endmacro %}
{# Vectors of a result. No zero is negative: their signs may hang on neighbours. #}
{% macro returned(name, view, array, rows, cols, lead, i, j) %}
{% call each() %}
{{ own(name, body.apart[name]) }}
        {{ const_elements }}const from = {{ array }} + q * {{ rows }} * {{ cols }};
        for (int64_t j = 0; j < {{ cols }}; j++)
            {{ each_own("i", 0, rows) }} {
                bb_elem x = from[j * {{ lead }} + i];
                BB_SCALED(x, wholes[q]);
                BB_PUT(own + {{ view.at(i, j) }}, {{ view.im }}, x);
            }
{% endcall %}
{% endmacro %}
{% macro body_of(A, S, U, VT, passed) %}
{% set left, right = (VT.transposed(), U.transposed()) if vectors else (none, none) %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_vec ups[{{ body.abreast }}], back[{{ body.abreast }}];
{% if vectors %}
    bb_vec wholes[{{ body.abreast }}];
{% endif %}
{% for name in scratch.of(body.number) %}
    {{ body.array(name, "BB_ALIGNED" if width > 1 else "") }}
{% endfor %}
{% if not known %}
    if ({{ body.size.m }} < {{ body.size.n }}) {
{% endif %}
{% if body.size.m is before(body.size.n) %}
{{ decomposed(A.transposed(), S, "VT", left, "U", right, body.size.n, body.size.m, passed) }}
{% endif %}
{% if not known %}
    } else {
{% endif %}
{% if not known or not body.size.m is before(body.size.n) %}
{{ decomposed(A, S, "U", U, "VT", VT, body.size.m, body.size.n, passed) }}
{% endif %}
{% if not known %}
    }
{% endif %}
}
{% endmacro %}
