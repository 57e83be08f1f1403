{# Singular values and vectors of matrices with no fewer rows than columns. What is computed with lies in arrays of
   elements, columns together: `u` of rows x cols has the matrix, and gets the left vectors; `v` of cols x cols gets
   conjugates of the right ones; `s` the values. #}
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
{% macro decomposed(A, S, u, U, vt, VT, rows, cols) %}
        for (int64_t j = 0; j < {{ cols }}; j++)
            for (int64_t i = 0; i < {{ rows }}; i++) {
                bb_elem x;
                BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
                u[j * {{ rows }} + i] = x;
                BB_LARGER(largest, x);
                BB_TIMES_REAL(x, BB_ZEROS);
                BB_ADD_SQUARE(spoil, x);
            }
{{ scaled(rows, cols) }}
        {{ body.name }}_solve({{ rows ~ ", " ~ cols ~ ", " if not known }}u, {{ "v, " if vectors }}values, &left);
        BB_REPORT(*info, left > 0, {{ cols }});
        for (int64_t j = 0; j < {{ cols }}; j++) {
            const bb_vec value = values[j] / scale * lower + spoil;
            BB_STORE(S + {{ S.at("j", 0) }}, value);
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
        BB_REPORT(*info, spoil != 0, 1);
        BB_EQUAL(finite, spoil, BB_ZEROS);
        BB_GREATER(some, BB_ZEROS + (bb_real){{ compute.rescale[1] }}, largest);
        BB_TAKE(lift, some, BB_ZEROS + (bb_real){{ compute.rescale[0] }});
        BB_TAKE(lower, some, BB_ZEROS + (bb_real){{ compute.rescale[1] }});
        largest *= lift;
        BB_GREATER(some, largest, BB_ZEROS);
        BB_TAKE(most, some, largest);
        BB_GREATER(some, most, BB_ZEROS + (bb_real){{ compute.largest }});
        BB_TAKE(most, some, BB_ZEROS + 1);
        scale = most;
        bb_split(&scale, &exponent);
        scale = scale / most * (bb_real)0x1p20;
        for (int64_t e = 0; e < {{ rows }} * {{ cols }}; e++) {
            bb_elem x = zero;
            BB_TAKE_ELEM(x, finite, u[e]);
            BB_TIMES_REAL(x, lift);
            BB_TIMES_REAL(x, scale);
            u[e] = x;
        }
{% endmacro %}
{# An element of a result. No zero is negative: their signs may hang on neighbours. #}
{% macro leave(x) %}
                bb_elem x = {{ x }};
                BB_SHIFT(x, zero);
                BB_TIMES_REAL(x, spoil + 1);
{% endmacro %}
{% macro body_of(A, S, U, VT) %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_vec largest = BB_ZEROS, spoil = BB_ZEROS, lift = BB_ZEROS + 1, lower = lift, most = lift, scale, left;
    bb_vec exponent = BB_ZEROS;
    bb_mask finite, some;
    bb_elem zero;
    {{ body.array("u") }}
    {{ body.array("s") }}
    {{ body.array("v") if vectors }}
    bb_vec *const values = (bb_vec *)s;
    BB_ZERO(zero);
{% if not known %}
    if ({{ body.size.m }} < {{ body.size.n }}) {
{% endif %}
{% if body.size.m is before(body.size.n) %}
{% set left, right = (VT.transposed(), U.transposed()) if vectors else (none, none) %}
{{ decomposed(A.transposed(), S, "VT", left, "U", right, body.size.n, body.size.m) }}
{% endif %}
{% if not known %}
    } else {
{% endif %}
{% if not known or not body.size.m is before(body.size.n) %}
{{ decomposed(A, S, "U", U, "VT", VT, body.size.m, body.size.n) }}
{% endif %}
{% if not known %}
    }
{% endif %}
}
{% endmacro %}
