{# The determinant by the factors of getrf: `product`, and an exponent. Where no product on the way is near the ends of
   the range there is none; lanes in which one is are done anew, mantissas multiplied, exponents added. A factor that is
   alone is a product, the first of several is none. A matrix with a zero among them has 0, whatever else is there. #}
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
{# Element i of the diagonal, with the sign of its exchange, which closed factors have already. #}
{% macro factor(A, IPIV, i, x) %}
        bb_elem {{ x }};
        BB_GET({{ x }}, A + {{ A.at(i, i) }}, {{ A.im }});
{% if not body.closed %}
        {
            bb_vec at;
            BB_GET_INDEX(at, IPIV + {{ IPIV.at(i, 0) }});
            at = BB_SELECT(at == (bb_real)({{ i }} + 1), BB_ZEROS + 1, BB_ZEROS - 1);
            BB_TIMES_REAL({{ x }}, at);
        }
{% endif %}
{% endmacro %}
{% macro one(x) %}
    bb_elem {{ x }};
    BB_ZERO({{ x }});
    BB_SET_REAL({{ x }}, BB_ZEROS + 1);
{% endmacro %}
{# A product that is no number is the largest, as none follows it that is one. #}
{% macro times(x, first=false) %}
        {{ "BB_TIMES(product, " ~ x ~ ");" if x }}
        BB_CABS1(size, product);
        {{ "smallest = size" if first else "BB_MIN(smallest, size)" }};
        {{ "BB_MAX(size, largest);" if not first }}
        largest = size;
{% endmacro %}
{% macro times_mantissa(x) %}
            BB_CABS1(size, {{ x }});
            none = BB_SELECT(size == 0, BB_ZEROS + 1, none);
{{ normalize(x) }}
            BB_TIMES(product, {{ x }});
{% endmacro %}
{# The caller does what is left of lanes that are done anew; `finished` is done behind these. Few factors are straight
   lines, of which compilers keep what getrf left in registers. #}
{% macro determinant(A, IPIV, finished="") %}
{% set n = body.size.n %}
    bb_vec size, smallest, largest;
    bb_mask tiny, huge;
{% if 8 is before(n) or not n %}
{{ one("product") }}
    smallest = largest = BB_ZEROS + 1;
    for (int64_t i = 0; i < {{ n }}; i++) {
{{ factor(A, IPIV, "i", "x") }}
{{ times("x") }}
    }
{% else %}
{{ factor(A, IPIV, 0, "product") }}
{{ times("", true) if n == 1 }}
{% for i in range(1, n) %}
{{ factor(A, IPIV, i, "x" ~ i) }}
{{ times("x" ~ i, i == 1) }}
{% endfor %}
{% endif %}
    BB_GREATER(tiny, BB_ZEROS + 4 * (bb_real){{ compute.smallest }}, smallest);
    BB_BEYOND(huge, largest, BB_ZEROS + (bb_real){{ compute.largest }} / 4);
    if (BB_SOME(tiny) || BB_SOME(huge)) {
        const bb_elem plain = product;
{{ one("unit") }}
        bb_vec exponent = BB_ZEROS, none = BB_ZEROS;
        product = unit;
{% if 8 is before(n) or not n %}
        for (int64_t i = 0; i < {{ n }}; i++) {
{{ factor(A, IPIV, "i", "x") }}
{{ times_mantissa("x") }}
{% if 64 is before(n) %}
            if (i % 64 == 63) { /* before it overflows */
{{ normalize("product") }}
            }
{% endif %}
        }
{% else %}
{% for i in range(n) %}
        {
{{ factor(A, IPIV, i, "x") }}
{{ times_mantissa("x") }}
        }
{% endfor %}
{% endif %}
{{ normalize("product") }}
{{ caller() }}
        bb_mask empty;
        BB_GREATER(empty, none, BB_ZEROS);
        BB_ZERO(unit);
        BB_TAKE_ELEM(product, empty, unit);
        const bb_elem careful = product;
        product = plain;
        BB_TAKE_ELEM(product, tiny, careful);
        BB_TAKE_ELEM(product, huge, careful);
{{ finished }}
    }
{% endmacro %}
