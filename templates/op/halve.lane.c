{# B := A / 2^S so that no column of B has a larger 1-norm than alpha; a norm that is not finite is left alone. #}
{% set A, B, S = body.views %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    (void)alpha_is;
    bb_vec norm = BB_ZEROS, times = BB_ZEROS, power;
    for (int64_t j = 0; j < {{ body.size.n }}; j++) {
        bb_vec sum = BB_ZEROS;
        for (int64_t i = 0; i < {{ body.size.n }}; i++) {
            bb_elem x;
            bb_vec size;
            BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
            BB_CABS1(size, x);
            sum += size;
        }
        BB_MAX(norm, sum);
    }
    norm /= BB_ZEROS + alpha{{ ".re" if complex }};
    norm = BB_SELECT((norm > 1) & (norm <= {{ compute.largest }}), norm, BB_ZEROS + 1);
    bb_split(&norm, &times);
    times += BB_SELECT(norm > 1, BB_ZEROS + 1, BB_ZEROS);
    norm = -times;
    bb_power(&power, &norm);
    for (int64_t j = 0; j < {{ body.size.n }}; j++)
        for (int64_t i = 0; i < {{ body.size.n }}; i++) {
            bb_elem x;
            BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
            BB_TIMES_REAL(x, power);
            BB_PUT(B + {{ B.at("i", "j") }}, {{ B.im }}, x);
        }
    bb_elem result;
    BB_ZERO(result);
    BB_SET_REAL(result, times);
    BB_PUT(S + {{ S.at(0, 0) }}, {{ S.im }}, result);
}
