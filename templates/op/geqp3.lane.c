{# A P = Q R: geqrf of the longest column that is left, each lane its own. Norms of columns below row p are brought down
   by what each row takes from them, until too few digits are left: LAPACK's rule. `column` says where each is from. #}
{% from "tile/annihilate.c" import annihilate with context %}
{% from "tile/reflection.c" import reflect with context %}
{% from "tile/column_pivot.c" import exchange, first_norm, length, norm with context %}
{% from "tile/shared_work.c" import first_lane, meet, own with context %}
{% set A, JPVT, TAU = body.views %}
{% set m, n = body.size.m, body.size.n %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    {{ body.array("norms", "BB_ALIGNED" if width > 1 else "") }}
    {{ body.array("column") }}
    {{ own("j", 0, n) }} {
{{ length("size", A, m, "j", 0) }}
        BB_STORE({{ norm("j") }}, size);
        BB_STORE({{ first_norm("j") }}, size);
        BB_PUT_LOCAL(column + j * {{ width }}, BB_ZEROS + (bb_real)j);
    }
    {{ meet() }}
    for (int64_t p = 0; p < {{ least(m, n) }}; p++) {
        bb_vec longest, at = BB_ZEROS + (bb_real)p;
        BB_LOAD(longest, {{ norm("p") }});
        for (int64_t j = p + 1; j < {{ n }}; j++) {
            bb_vec size;
            bb_mask longer;
            BB_LOAD(size, {{ norm("j") }});
            BB_GREATER(longer, size, longest);
            BB_TAKE(longest, longer, size);
            BB_TAKE(at, longer, BB_ZEROS + (bb_real)j);
        }
        for (int64_t j = p + 1; j < {{ n }}; j++) {
            bb_mask taken;
            BB_EQUAL(taken, at, BB_ZEROS + (bb_real)j);
            if (!BB_SOME(taken))
                continue;
{{ exchange(A, m, "j") }}
        }
{# Products that were added to a norm in another branch would be shared, and so not fused with the sums here. #}
        {{ "BB_FORGET;" if target.simd }}
{{ annihilate("A", A, "p", m) }}
        {{ first_lane() }}
        BB_PUT(TAU + {{ TAU.at("p", 0) }}, {{ TAU.im }}, tau);
{{ reflect("A", A, "A", A, "p", m, ("p", 1), n, "tau", true) }}
        {{ own("j", ("p", 1), n) }} {
            bb_elem x;
            bb_vec before, whole, taken = BB_ZEROS, left, ratio, digits;
            bb_mask none, negative, stale;
            BB_LOAD(before, {{ norm("j") }});
            BB_LOAD(whole, {{ first_norm("j") }});
            BB_GET(x, A + {{ A.at("p", "j") }}, {{ A.im }});
            BB_DIVIDE_REAL(x, before);
            BB_ADD_SQUARE(taken, x);
            left = 1 - taken;
            BB_GREATER(negative, BB_ZEROS, left);
            BB_TAKE(left, negative, BB_ZEROS);
            ratio = before / whole;
            digits = left * (ratio * ratio);
            BB_GREATER(stale, BB_ZEROS + (bb_real){{ compute.eps ** 0.5 }}, digits);
            BB_EQUAL(none, before, BB_ZEROS);
            BB_SQRT(left);
            before *= left;
            BB_TAKE(before, none, BB_ZEROS);
            if (BB_SOME(stale)) {
{{ length("size", A, m, "j", "p + 1") }}
                BB_TAKE(before, stale, size);
                BB_TAKE(whole, stale, size);
                BB_STORE({{ first_norm("j") }}, whole);
            }
            BB_STORE({{ norm("j") }}, before);
        }
        {{ meet() }}
    }
    {{ own("j", 0, n) }} {
        bb_vec number;
        BB_GET_LOCAL(number, column + j * {{ width }});
        BB_PUT_INDEX(JPVT + {{ JPVT.at("j", 0) }}, number + 1);
    }
}
