{# The determinant by the factors of getrf: `product`, and an exponent. Where no product on the way is near the ends of
   the range there is none; lanes in which one is are done anew, mantissas multiplied, exponents added. #}
{# A power of two goes from x to the exponent, and the larger part of x is 1 to 2 then; zeros and what is not finite
   stay. #}
{% macro normalize(x, exponent="exponent") %}
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
            {{ exponent }} -= BB_SELECT(size < tiny, BB_ZEROS + {{ stored.fraction }}, BB_ZEROS);
            size *= lift;
            const bb_vec before = size;
            bb_split(&size, &{{ exponent }});
            BB_TIMES_REAL({{ x }}, lift);
            BB_TIMES_REAL({{ x }}, size / before);
{% else %}
            bb_split(&size, &{{ exponent }});
            size = BB_SELECT({{ x }} < 0, -size, size);
            {{ x }} = BB_SELECT((most > 0) & (most <= {{ compute.largest }}), size, {{ x }});
{% endif %}
        }
{% endmacro %}
{# Element i of the diagonal, with the sign of its exchange. #}
{% macro factor(A, IPIV) %}
        bb_elem x;
        bb_vec at;
        BB_GET(x, A + {{ A.at("i", "i") }}, {{ A.im }});
        BB_GET_INDEX(at, IPIV + {{ IPIV.at("i", 0) }});
        BB_TIMES_REAL(x, BB_SELECT(at == (bb_real)(i + 1), BB_ZEROS + 1, BB_ZEROS - 1));
{% endmacro %}
{% macro one(x) %}
    bb_elem {{ x }};
    BB_ZERO({{ x }});
    BB_SET_REAL({{ x }}, BB_ZEROS + 1);
{% endmacro %}
{# The caller does what is left of lanes that are done anew. #}
{% macro determinant(A, IPIV) %}
    bb_vec smallest = BB_ZEROS + 1, largest = BB_ZEROS + 1;
    bb_mask tiny, huge;
{{ one("product") }}
    for (int64_t i = 0; i < {{ body.size.n }}; i++) {
{{ factor(A, IPIV) }}
        bb_vec size;
        BB_TIMES(product, x);
        BB_CABS1(size, product);
        BB_MIN(smallest, size);
        BB_MAX(largest, size);
    }
    BB_GREATER(tiny, BB_ZEROS + 4 * (bb_real){{ compute.smallest }}, smallest);
    BB_GREATER(huge, largest, BB_ZEROS + (bb_real){{ compute.largest }} / 4);
    if (BB_SOME(tiny) || BB_SOME(huge)) {
        const bb_elem plain = product;
        BB_SET_REAL(product, BB_ZEROS + 1);
        {{ "product.im = BB_ZEROS;" if complex }}
        bb_vec exponent = BB_ZEROS;
        for (int64_t i = 0; i < {{ body.size.n }}; i++) {
{{ factor(A, IPIV) }}
{{ normalize("x") }}
            BB_TIMES(product, x);
{% if 64 is before(body.size.n) %}
            if (i % 64 == 63) { /* before it overflows */
{{ normalize("product") }}
            }
{% endif %}
        }
{{ normalize("product") }}
{{ caller() }}
        const bb_elem careful = product;
        product = plain;
        BB_TAKE_ELEM(product, tiny, careful);
        BB_TAKE_ELEM(product, huge, careful);
    }
{% endmacro %}
