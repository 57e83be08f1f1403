{# B := D^-1 A D / 2^S so that no column of B has a larger 1-norm than alpha; a norm that is not finite is left alone.
   D is of powers of two: it balances A where that has a large norm, and a smaller one then, else it is I. #}
{% from "tile/balance.c" import balance, norm_of, sizes_of with context %}
{% from "tile/shared_work.c" import first_lane, meet, own with context %}
{% set A, B, S, D = body.views %}
{% set n = body.size.n %}
{% macro get(x, i, j) %}
            BB_GET({{ x }}, A + {{ A.at(i, j) }}, {{ A.im }});
{% endmacro %}
{# Element (i, j) of D^-1 A D. #}
{% macro scaled(x, i, j) %}
{{ get(x, i, j) }}
            bb_elem own, other; /* both real */
            BB_GET(own, D + {{ D.at(i, 0) }}, {{ D.im }});
            BB_GET(other, D + {{ D.at(j, 0) }}, {{ D.im }});
            BB_TIMES_REAL({{ x }}, BB_RE(other) / BB_RE(own));
{% endmacro %}
{# Element i of D, as the caller changes it. #}
{% macro change(i) %}
            {
                bb_elem d;
                BB_GET(d, D + {{ D.at(i, 0) }}, {{ D.im }});
                bb_vec real = BB_RE(d);
{{ caller("real") }}
                BB_ZERO(d);
                BB_SET_REAL(d, real);
                BB_PUT(D + {{ D.at(i, 0) }}, {{ D.im }}, d);
            }
{% endmacro %}
{# B, from the elements of A or D^-1 A D that the caller makes. #}
{% macro divided() %}
        {{ own("j", 0, n) }}
            for (int64_t i = 0; i < {{ n }}; i++) {
                bb_elem x;
{{ caller("x", "i", "j") }}
                BB_TIMES_REAL(x, power);
                BB_PUT(B + {{ B.at("i", "j") }}, {{ B.im }}, x);
            }
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    (void)alpha_is;
    {{ body.array("sizes") }}
    const bb_vec reach = BB_ZEROS + alpha{{ ".re" if complex }};
    bb_vec norm = BB_ZEROS, times = BB_ZEROS, power;
{% call(x, i, j) norm_of("norm") %}
{{ get(x, i, j) }}
{% endcall %}
    norm /= reach;
    bb_elem one;
    BB_ZERO(one);
    BB_SET_REAL(one, BB_ZEROS + 1);
    {{ own("i", 0, n) }}
        BB_PUT(D + {{ D.at("i", 0) }}, {{ D.im }}, one);
    const bb_vec large = BB_SELECT((norm > 4) & (norm <= {{ compute.largest }}), norm, BB_ZEROS);
    bb_mask some;
    BB_GREATER(some, large, BB_ZEROS);
    if (BB_SOME(some)) {
        const bb_vec smallest = BB_ZEROS + (bb_real)0x1p-{{ stored.bias // 2 }};
        const bb_vec largest = BB_ZEROS + (bb_real)0x1p{{ stored.bias // 2 }};
        bb_vec balanced = BB_ZEROS;
{% call(x, i, j) sizes_of("sizes") %}
{{ get(x, i, j) }}
{% endcall %}
{% call(i, up) balance("sizes", "large") %}
            {{ first_lane() }}
{% call(d) change(i) %}
                {{ d }} *= {{ up }};
                BB_MAX({{ d }}, smallest);
                BB_MIN({{ d }}, largest);
{% endcall %}
{% endcall %}
{% call(x, i, j) norm_of("balanced") %}
{{ scaled(x, i, j) }}
{% endcall %}
        balanced /= reach;
        {{ meet() }}
        {{ own("i", 0, n) }}
{% call(d) change("i") %}
                {{ d }} = BB_SELECT(balanced < large, {{ d }}, BB_ZEROS + 1);
{% endcall %}
        {{ meet() }}
        norm = BB_SELECT(balanced < large, balanced, norm);
    }
    norm = BB_SELECT((norm > 1) & (norm <= {{ compute.largest }}), norm, BB_ZEROS + 1);
    bb_split(&norm, &times);
    times += BB_SELECT(norm > 1, BB_ZEROS + 1, BB_ZEROS);
    norm = -times;
    bb_power(&power, &norm);
    if (BB_SOME(some)) {
{% call(x, i, j) divided() %}
{{ scaled(x, i, j) }}
{% endcall %}
    } else {
{% call(x, i, j) divided() %}
{{ get(x, i, j) }}
{% endcall %}
    }
    bb_elem result;
    BB_ZERO(result);
    BB_SET_REAL(result, times);
    {{ first_lane() }}
    BB_PUT(S + {{ S.at(0, 0) }}, {{ S.im }}, result);
}
