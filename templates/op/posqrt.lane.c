{# X := (L L*)^(1/2), L lower triangular: the Hermitian polar factor H of L = H U, by Newton's iteration Y := (f Y + (f
   Y)^-*) / 2 from L on, which ends at U. Each Y is L times a positive definite matrix, so no row is exchanged, and rows
   of L may have any scale. By bounds of singular values f follows from those of L and L^-1 alone (Byers, Xu), and so
   does how many steps a lane has. #}
{% from "tile/gauss_jordan.c" import inverted, together with context %}
{% set A, X = body.views %}
{% set n = body.size.n %}
{% set parts = (".re", ".im") if complex else ("",) %}
{# Of loops that only move, a GPU's thread would have all elements in registers at once. #}
{% set rolled = "" if target.simd else "BB_UNROLL(1)" %}
{# L, whose diagonal is real. #}
{% macro factor(to) %}
    {{ rolled }}
    for (int64_t j = 0; j < {{ n }}; j++)
        for (int64_t i = 0; i < {{ n }}; i++) {
            bb_elem x;
            BB_ZERO(x);
            if (i >= j)
                BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
{% if complex %}
            if (i == j)
                BB_REAL(x);
{% endif %}
            {{ to }}[j * {{ n }} + i] = x;
        }
{% endmacro %}
{# The squares of rows of a lower triangle, of columns of its inverse. #}
{% macro bounds() %}
            bb_vec largest = BB_ZEROS, inverse = BB_ZEROS;
            const bb_vec most = BB_ZEROS + (bb_real){{ 1 / compute.eps }} / (bb_real){{ n }};
            for (int64_t k = 0; k < {{ n }}; k++) {
                bb_vec row = BB_ZEROS, column = BB_ZEROS;
                for (int64_t i = 0; i <= k; i++)
                    BB_ADD_SQUARE(row, y[i * {{ n }} + k]);
                for (int64_t i = k; i < {{ n }}; i++)
                    BB_ADD_SQUARE(column, p[k * {{ n }} + i]);
                BB_REPORT(*info, (row * column < most) == 0, (bb_int)(k + 1));
                BB_ZERO(sizes[k]);
                BB_SET_REAL(sizes[k], row);
                BB_MAX(largest, row);
                BB_MAX(inverse, column);
            }
            BB_SQRT(largest);
            BB_SQRT(inverse);
            bb_vec bound = BB_ZEROS + (bb_real){{ n }};
            BB_SQRT(bound);
            largest *= bound;
            inverse *= bound;
            ratio = largest * inverse;
            factor = inverse / largest;
            BB_SQRT(ratio);
            BB_SQRT(factor);
{% endmacro %}
{# Y := (f Y + P* / f) / 2 in lanes that have `more` steps. #}
{% macro mean() %}
        const bb_vec own = factor * (bb_real)0.5, of_inverse = (bb_real)0.5 / factor;
        for (int64_t j = 0; j < {{ n }}; j++)
            for (int64_t i = 0; i < {{ n }}; i++) {
                bb_elem kept = y[j * {{ n }} + i], sum = kept, inverse = p[i * {{ n }} + j];
                BB_CONJ(inverse);
{% for part in parts %}
                sum{{ part }} = BB_ZEROS + sum{{ part }} * own;
                sum{{ part }} += inverse{{ part }} * of_inverse;
{% endfor %}
                BB_TAKE_ELEM(kept, more, sum);
                y[j * {{ n }} + i] = kept;
            }
{% endmacro %}
{# Element (i, j) of L Y*, with L in p. #}
{% macro product(x, i, j) %}
                BB_ZERO({{ x }});
                for (int64_t k = 0; k <= {{ i }}; k++)
                    BB_FMA({{ x }}, p[k * {{ n }} + {{ i }}], y[k * {{ n }} + {{ j }}], 0, 1);
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% for name in ["y", "p", "sizes"] %}
    {{ body.array(name) }}
{% endfor %}
    {{ body.array("column") if together is before(n) }}
    const bb_vec one = BB_ZEROS + 1, near = one + (bb_real){{ compute.eps ** 0.5 / 4 }};
    bb_vec ratio = one + 1, factor = one;
    bb_mask more, smaller;
{{ factor("y") }}
    BB_GREATER(more, ratio, one);
    for (int64_t step = 0; step < 40 && BB_SOME(more); step++) {
        {{ rolled }}
        for (int64_t i = 0; i < {{ n }} * {{ n }}; i++)
            p[i] = y[i];
{{ inverted("p") }}
        if (step == 0) {
{{ bounds() }}
        }
{{ mean() }}
        BB_GREATER(more, ratio, near);
        ratio = (ratio + 1 / ratio) * (bb_real)0.5;
        BB_SQRT(ratio);
        factor = 1 / ratio;
    }
{{ factor("p") }}
    for (int64_t j = 0; j < {{ n }}; j++)
        for (int64_t i = j; i < {{ n }}; i++) { /* by the row of a smaller scale */
            bb_elem below, x;
{{ product("below", "i", "j") }}
{{ product("x", "j", "i") }}
            BB_CONJ(x);
            BB_GREATER(smaller, BB_RE(sizes[j]), BB_RE(sizes[i]));
            BB_TAKE_ELEM(x, smaller, below);
{% if complex %}
            if (i == j)
                BB_REAL(x);
{% endif %}
            BB_PUT(X + {{ X.at("i", "j") }}, {{ X.im }}, x);
            BB_CONJ(x);
            BB_PUT(X + {{ X.at("j", "i") }}, {{ X.im }}, x);
        }
}
