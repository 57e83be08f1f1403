{# A shift of implicit QR, and two rotations. #}
{% from "tile/singular.c" import vectors with context %}
{# No angle of what turns vectors is more than a right one: where f is negative, c, s and r change their signs. #}
{% macro turned(x) %}{{ "BB_SELECT(negative, -" ~ x ~ ", " ~ x ~ ")" if vectors else x }}{% endmacro %}
{# c, s and r with c f + s g = r, c g - s f = 0; where not `on` they are 1, 0 and f. #}
{% macro plane(q, f, g, c, s, r) %}
            bb_vec {{ r }}{{ q }} = zeros + {{ f }}{{ q }} * {{ f }}{{ q }}, {{ c }}{{ q }}, {{ s }}{{ q }};
            {{ r }}{{ q }} += {{ g }}{{ q }} * {{ g }}{{ q }};
            {
                const bb_ints turns = on{{ q }} & ({{ r }}{{ q }} > BB_TINY);
{% if vectors %}
                const bb_ints negative = {{ f }}{{ q }} < 0;
{% endif %}
                bb_vec part, error, series;
                BB_MAX({{ r }}{{ q }}, zeros + BB_TINY);
                bb_parts_of_root(&part, &error, &series, &{{ r }}{{ q }});
                BB_OVER_ROOT({{ c }}{{ q }}, {{ turned(f ~ q) }}, part, error, series);
                BB_OVER_ROOT({{ s }}{{ q }}, {{ turned(g ~ q) }}, part, error, series);
                part += (part * error) * series;
                {{ r }}{{ q }} *= {{ turned("part") }};
                {{ c }}{{ q }} = BB_SELECT(turns, {{ c }}{{ q }}, zeros + 1);
                {{ s }}{{ q }} = BB_SELECT(turns, {{ s }}{{ q }}, zeros);
                {{ r }}{{ q }} = BB_SELECT(turns, {{ r }}{{ q }}, {{ f }}{{ q }});
            }
{% endmacro %}
{# Rows k and k + 1 in the blocks `low` to `high`. Other lanes are turned by nothing: their elements stay. #}
{% macro chase(q) %}
            const bb_ints on{{ q }} = (low{{ q }} <= (bb_real)k) & (high{{ q }} > (bb_real)k);
{{ plane(q, "f", "g", "c", "n", "r") }}
            if (k)
                e{{ q }}[k - 1] = BB_SELECT(on{{ q }} & (low{{ q }} < (bb_real)k), r{{ q }}, e{{ q }}[k - 1]);
            bb_vec x{{ q }} = zeros + c{{ q }} * s{{ q }}[k], y{{ q }} = zeros + c{{ q }} * e{{ q }}[k];
            x{{ q }} += n{{ q }} * e{{ q }}[k];
            y{{ q }} -= n{{ q }} * s{{ q }}[k];
            const bb_vec z{{ q }} = zeros + n{{ q }} * s{{ q }}[k + 1], w{{ q }} = zeros + c{{ q }} * s{{ q }}[k + 1];
{{ plane(q, "x", "z", "cosine", "sine", "size") }}
            bb_vec corner{{ q }} = zeros + cosine{{ q }} * y{{ q }}, down{{ q }} = zeros + cosine{{ q }} * w{{ q }};
            corner{{ q }} += sine{{ q }} * w{{ q }};
            down{{ q }} -= sine{{ q }} * y{{ q }};
            s{{ q }}[k] = size{{ q }};
            s{{ q }}[k + 1] = down{{ q }};
            e{{ q }}[k] = corner{{ q }};
            f{{ q }} = BB_SELECT(on{{ q }}, corner{{ q }}, f{{ q }});
            g{{ q }} = BB_SELECT(on{{ q }}, sine{{ q }} * e{{ q }}[k + 1], g{{ q }});
            e{{ q }}[k + 1] *= cosine{{ q }}; /* behind a block it is zero */
{% if vectors %}
{% for c, s in (("c", "n"), ("cosine", "sine")) %}
            kept[{{ (q * 2 + loop.index0) * 4 }} * cols + k] = {{ s }}{{ q }} / (1 + {{ c }}{{ q }});
            kept[{{ (q * 2 + loop.index0) * 4 + 1 }} * cols + k] = {{ s }}{{ q }};
{% endfor %}
{% endif %}
{% endmacro %}
{# Of the last two rows the shift, a value nearest to the last: none where one of the block is as good as zero. #}
{% macro shift(q) %}
        {
            const bb_vec beside = beside{{ q }}, over = over{{ q }}, above = above{{ q }}, end = end{{ q }};
            bb_vec one = zeros + beside * beside, two = zeros + end * end, both = zeros + beside * over, root, inverse;
            one += above * above;
            two += over * over;
            const bb_vec half = (one - two) * (bb_real)0.5;
            const bb_vec square = zeros + both * both;
            root = square;
            root += half * half;
            root = BB_SELECT(root > BB_TINY, root, zeros + 1);
            bb_inverse_root(&inverse, &root);
            root *= inverse;
            root = BB_SELECT(half < 0, half - root, half + root);
            bb_reciprocal(&inverse, &root);
            two -= square * inverse;
            const bb_ints plain = poor{{ q }} | ((two > 0) == 0);
            f{{ q }} = BB_SELECT(plain, head{{ q }}, head{{ q }} * head{{ q }} - two);
            g{{ q }} = BB_SELECT(plain, next{{ q }}, head{{ q }} * next{{ q }});
        }
{% endmacro %}
