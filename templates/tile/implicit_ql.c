{# Implicit QL of tridiagonal matrices, each lane with its own shifts and its own rows. Of each vector of matrices that
   is done abreast there are variables of its own, so that they stay in registers. #}
{% from "tile/rotations.c" import idle, turn with context %}
{% macro d(i, q) %}BB_RE(d[{{ body.slot(i, q) }}]){% endmacro %}
{% macro e(i, q) %}BB_RE(e[{{ body.slot(i, q) }}]){% endmacro %}
{# Of each lane the first rows that are not done, `first` to `last`, as reals, and what lies there; before row `from`,
   and behind row `finish`, all are done. #}
{% macro find(n) %}
        int64_t begin = -1, finish = -1;
{% for q in range(body.abreast) %}
        bb_ints within{{ q }} = BB_ZEROS > 0;
        bb_vec first{{ q }} = BB_ZEROS - 1, last{{ q }} = first{{ q }};
        bb_vec head{{ q }} = BB_ZEROS, next{{ q }} = head{{ q }};
        bb_vec beside{{ q }} = BB_ZEROS + 1, end{{ q }} = head{{ q }}, behind{{ q }} = {{ d((n, -1), q) }};
        bb_vec stop{{ q }} = BB_ZEROS + (bb_real)({{ (n, -1) | index }}), below{{ q }} = behind{{ q }};
{% endfor %}
        for (int64_t i = {{ (n, -2) | index }}; i >= from; i--) {
{% for q in range(body.abreast) %}
            const bb_vec x{{ q }} = {{ e("i", q) }}, y{{ q }} = {{ d("i", q) }};
            const bb_vec small{{ q }} = BB_ABS(y{{ q }} * below{{ q }}) * (BB_UNIT * BB_UNIT) + BB_TINY;
            const bb_ints left{{ q }} = x{{ q }} * x{{ q }} > small{{ q }};
            {{ e("i", q) }} = BB_SELECT(left{{ q }}, x{{ q }}, BB_ZEROS);
            first{{ q }} = BB_SELECT(left{{ q }}, BB_ZEROS + (bb_real)i, first{{ q }});
            head{{ q }} = BB_SELECT(left{{ q }}, y{{ q }}, head{{ q }});
            next{{ q }} = BB_SELECT(left{{ q }}, below{{ q }}, next{{ q }});
            beside{{ q }} = BB_SELECT(left{{ q }}, x{{ q }}, beside{{ q }});
            last{{ q }} = BB_SELECT(left{{ q }}, stop{{ q }}, last{{ q }});
            end{{ q }} = BB_SELECT(left{{ q }}, behind{{ q }}, end{{ q }});
            stop{{ q }} = BB_SELECT(left{{ q }}, stop{{ q }}, BB_ZEROS + (bb_real)i);
            behind{{ q }} = BB_SELECT(left{{ q }}, behind{{ q }}, y{{ q }});
            within{{ q }} |= left{{ q }};
            below{{ q }} = y{{ q }};
{% endfor %}
            const bb_ints some = {% for q in range(body.abreast) %}left{{ q }}{{ " | " if not loop.last }}{% endfor %};
            if (BB_HOLDS(some)) {
                begin = i;
                finish = finish < 0 ? i + 1 : finish;
            }
        }
{% endmacro %}
{# The shift: of the first two rows the value that is nearer to the first. #}
{% macro shift(q) %}
        bb_vec g{{ q }} = BB_ZEROS, s{{ q }} = BB_ZEROS, c{{ q }} = s{{ q }} + 1, less{{ q }} = s{{ q }}, start{{ q }};
        {
            bb_vec root, inverse;
            const bb_vec half = (next{{ q }} - head{{ q }}) * (bb_real)0.5;
            const bb_vec square = BB_ZEROS + beside{{ q }} * beside{{ q }};
            root = square;
            root += half * half;
            bb_inverse_root(&inverse, &root);
            root *= inverse;
            root = BB_SELECT(half < 0, half - root, half + root);
            bb_reciprocal(&inverse, &root);
            start{{ q }} = BB_ZEROS + square * inverse;
            start{{ q }} += end{{ q }} - head{{ q }};
        }
{% endmacro %}
{# A rotation of rows i and i + 1. Lanes whose rows these are not turn by nothing: before their last row g passes the
   elements of e on, and behind their first one too, where the one row that `less` is for has got it. Elements of e may
   have any sign, so no cosine of what turns vectors is negative, and the tangent of half the angle is one at most. #}
{% macro turning(x) %}{{ "BB_SELECT(negative, -" ~ x ~ ", " ~ x ~ ")" if body.vectors else x }}{% endmacro %}
{% macro rotation(q) %}
            {
                const bb_vec row = BB_ZEROS + (bb_real)i, after = BB_ZEROS + (bb_real)(i + 1), x = {{ e("i", q) }};
                const bb_ints starts = last{{ q }} == after, on = (last{{ q }} > row) & (first{{ q }} <= row);
                const bb_vec f = BB_ZEROS + BB_SELECT(starts, BB_ZEROS + 1, s{{ q }}) * x, b = BB_ZEROS + c{{ q }} * x;
                const bb_vec g = BB_SELECT(starts, start{{ q }}, g{{ q }});
{% if body.vectors %}
                const bb_ints negative = g < 0;
{% endif %}
                bb_vec h = BB_ZEROS + f * f, inverse;
                h += g * g;
                const bb_ints turns = on & (h > BB_TINY);
                const bb_vec tiny = BB_ZEROS + BB_TINY;
                BB_MAX(h, tiny);
                bb_inverse_root(&inverse, &h);
                {{ e(("i", 1), q) }} = BB_SELECT(on & (starts == 0), {{ turning("h") }} * inverse, g{{ q }});
                s{{ q }} = BB_SELECT(turns, {{ turning("f") }} * inverse, BB_ZEROS);
                c{{ q }} = BB_SELECT(turns, {{ turning("g") }} * inverse, BB_ZEROS + 1);
                const bb_vec down = {{ d(("i", 1), q) }} - less{{ q }};
                bb_vec r = BB_ZEROS + ({{ d("i", q) }} - down) * s{{ q }};
                r += c{{ q }} * (2 * b);
                less{{ q }} = BB_ZEROS + s{{ q }} * r;
                {{ d(("i", 1), q) }} = down + less{{ q }};
                g{{ q }} = c{{ q }} * r - b;
{% if body.vectors %}
                tangent[kept + {{ body.slot("i", q) }}] = s{{ q }} / (1 + c{{ q }});
                sine[kept + {{ body.slot("i", q) }}] = s{{ q }};
{% endif %}
            }
{% endmacro %}
{# A step of QL with implicit shifts from `last` to `first`, in the rows of each lane. #}
{% macro step() %}
{% for q in range(body.abreast) %}
{{ shift(q) }}
{% endfor %}
        for (int64_t i = finish - 1; i >= begin; i--) {
{% for q in range(body.abreast) %}
{{ rotation(q) }}
{% endfor %}
        }
{% for q in range(body.abreast) %}
        {{ d("begin", q) }} -= less{{ q }};
        {{ e("begin", q) }} = g{{ q }};
{% endfor %}
{% endmacro %}
{# Rotations of two steps are kept, of which the second has no more rows than the first. #}
{% macro turned(A, n) %}
        if (steps % 2 == 0) {
            top = begin;
            bottom = finish;
        } else {
{{ idle("done") }}
{{ turn(A, n) }}
        }
{% endmacro %}
