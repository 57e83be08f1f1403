{# R 2^E := det(A) by the factors of getrf: mantissas are multiplied, exponents added, so nothing overflows. #}
{% set A, IPIV, R, E = body.views %}
{# A power of two goes from x to the exponent, and the larger part of x is 1 to 2 then; zeros and what is not finite
   stay. #}
{% macro normalize(x) %}
        {
{% if complex %}
            const bb_vec re = BB_ABS({{ x }}.re), im = BB_ABS({{ x }}.im), most = BB_SELECT(re > im, re, im);
{% else %}
            const bb_vec most = BB_ABS({{ x }});
{% endif %}
            bb_vec size = BB_SELECT((most > 0) & (most <= {{ compute.largest }}), most, BB_ZEROS + 1);
{% if complex %}
            const bb_vec tiny = BB_ZEROS + (bb_real){{ compute.smallest }};
            const bb_vec lift = BB_SELECT(size < tiny, BB_ZEROS + (bb_real)0x1p{{ stored.fraction }}, BB_ZEROS + 1);
            exponent -= BB_SELECT(size < tiny, BB_ZEROS + {{ stored.fraction }}, BB_ZEROS);
            size *= lift;
            const bb_vec before = size;
            bb_split(&size, &exponent);
            BB_TIMES_REAL({{ x }}, lift);
            BB_TIMES_REAL({{ x }}, size / before);
{% else %}
            bb_split(&size, &exponent);
            size = BB_SELECT({{ x }} < 0, -size, size);
            {{ x }} = BB_SELECT((most > 0) & (most <= {{ compute.largest }}), size, {{ x }});
{% endif %}
        }
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_vec exponent = BB_ZEROS;
    bb_elem product;
    BB_ZERO(product);
    BB_SET_REAL(product, BB_ZEROS + 1);
    for (int64_t i = 0; i < {{ body.size.n }}; i++) {
        bb_elem x;
        bb_vec at;
        BB_GET(x, A + {{ A.at("i", "i") }}, {{ A.im }});
        BB_GET_INDEX(at, IPIV + {{ IPIV.at("i", 0) }});
{{ normalize("x") }}
        BB_TIMES(product, x);
        BB_TIMES_REAL(product, BB_SELECT(at == (bb_real)(i + 1), BB_ZEROS + 1, BB_ZEROS - 1));
{% if 64 is before(body.size.n) %}
        if (i % 64 == 63) { /* before it overflows */
{{ normalize("product") }}
        }
{% endif %}
    }
{{ normalize("product") }}
    BB_PUT(R + {{ R.at(0, 0) }}, {{ R.im }}, product);
    BB_ZERO(product);
    BB_SET_REAL(product, exponent);
    BB_PUT(E + {{ E.at(0, 0) }}, {{ E.im }}, product);
}
