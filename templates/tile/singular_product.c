{# A unitary factor, of the reflections whose vectors it overwrites. #}
{% from "tile/shared_work.c" import first_lane, meet, own as each_own, team with context %}
{% from "tile/singular.c" import apart, by, const_elements, elements, to_lane with context %}
{# The product of `count` reflections, in the place of their vectors. #}
{% macro forming() %}
static {{ apart }} void {{ body.name }}_form({{ by ~ elements }}const x, {{ const_elements }}const tau,
                                             const int64_t length, const int64_t count, const int64_t next)
{
    bb_elem zero, one;
    BB_ZERO(zero);
    one = zero;
    BB_SET_REAL(one, BB_ZEROS + 1);
    for (int64_t k = count - 1; k >= 0; k--) {
        {{ elements }}const v = x + k * next;
        bb_elem turn = tau[k], minus = zero;
        BB_CONJ(turn);
        {{ body.name }}_reflect({{ to_lane }}v + k, v + k + next, turn, length - k, 1, count - k - 1, next);
        BB_SUB(minus, turn);
        {{ each_own("i", 0, "k") }}
            v[i] = zero;
        {{ first_lane() ~ " {" if team }}
        v[k] = one;
        BB_SUB(v[k], turn);
        {{ "}" if team }}
        {{ each_own("i", ("k", 1), "length") }}
            BB_TIMES(v[i], minus);
        {{ meet() }}
    }
}
{% endmacro %}
