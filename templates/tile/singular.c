{# Singular values and vectors of matrices with no fewer rows than columns. What is computed with lies in arrays of
   elements, columns together: `u` of rows x cols has the matrix, and gets the left vectors; `v` of cols x cols gets
   conjugates of the right ones; `s` the values. #}
{% from "tile/eigen.c" import finite with context %}
{% set known = body.size.m is number and body.size.n is number %}
{% set vectors = body.views | length > 2 %}
{% set sizes = "" if known else "const int64_t rows, const int64_t cols, " %}
{% set given = "" if known else "rows, cols, " %}
{% set right = "bb_elem *const v, " if vectors else "" %}
{% set arrays %}bb_elem *const u, {{ right }}bb_vec *const s{% endset %}
{% set apart = "BB_NOINLINE" if target.simd else "BB_INLINE" %}
{% macro sides() %}
{% if known %}
    enum { rows = {{ [body.size.m, body.size.n] | max }}, cols = {{ [body.size.m, body.size.n] | min }} };
{% endif %}
{% endmacro %}
{# A matrix, or the transpose of a wide one, from A to the results. Its largest part comes to arrays as 2^20 to 2^21, so
   no square overflows, nor vanishes where it counts. What is not finite comes as zeros, and leaves as NaN. #}
{% macro decomposed(A, S, u, U, vt, VT, rows, cols, passed) %}
        for (int64_t j = 0; j < {{ cols }}; j++)
            for (int64_t i = 0; i < {{ rows }}; i++) {
                bb_elem x;
                BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
                u[j * {{ rows }} + i] = x;
                BB_SURVEY(largest, lack, x);
            }
{{ scaled(rows, cols) }}
        {{ body.name }}_solve({{ rows ~ ", " ~ cols ~ ", " if not known }}{{ passed }}, info);
        for (int64_t j = 0; j < {{ cols }}; j++) {
            const bb_vec value = values[j] * back;
            BB_STORE(S + {{ S.at("j", 0) }}, BB_ZEROS + value * up);
{% if vectors %}
            for (int64_t i = 0; i < {{ rows }}; i++) {
{{ leave("u[j * " ~ rows ~ " + i]") }}
                BB_PUT({{ u }} + {{ U.at("i", "j") }}, {{ U.im }}, x);
            }
            for (int64_t i = 0; i < {{ cols }}; i++) {
{{ leave("v[j * " ~ cols ~ " + i]") }}
                BB_PUT({{ vt }} + {{ VT.at("j", "i") }}, {{ VT.im }}, x);
            }
{% endif %}
        }
{% endmacro %}
{% macro scaled(rows, cols) %}
{{ finite(vectors) }}
        largest *= down;
        bb_scale_of(&more, &back, &largest); /* subnormal ones are still small */
        down *= (bb_real)0x1p20;
        back *= (bb_real)0x1p-20;
        for (int64_t e = 0; e < {{ rows }} * {{ cols }}; e++) {
            BB_SCALED(u[e], down);
            BB_SCALED(u[e], more);
            BB_REPLACE(u[e], bad, zero);
        }
{% endmacro %}
{# An element of a result. No zero is negative: their signs may hang on neighbours. #}
{% macro leave(x) %}
                bb_elem x = {{ x }};
                BB_SCALED(x, whole);
{% endmacro %}
{% macro body_of(A, S, U, VT, passed) %}
{% set left, right = (VT.transposed(), U.transposed()) if vectors else (none, none) %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_vec largest = BB_ZEROS, lack = BB_ZEROS, down, up, more, back;
    bb_elem zero;
{% for name in scratch.of(body.number) %}
    {{ body.array(name) }}
{% endfor %}
    bb_vec *const values = (bb_vec *)s;
    BB_ZERO(zero);
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
