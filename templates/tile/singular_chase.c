{# A shift of implicit QR, and two rotations. #}
{% from "tile/singular.c" import vectors with context %}
{# c, s and r with c f + s g = r, c g - s f = 0; where not `on` they are 1, 0 and f. #}
{% macro plane(q, f, g, c, s, r) %}
            bb_vec {{ r }} = zeros + {{ f }} * {{ f }}, {{ c }}, {{ s }};
            {{ r }} += {{ g }} * {{ g }};
            {
                const bb_ints turns = on{{ q }} & ({{ r }} > BB_TINY);
                bb_vec part, error, series;
                BB_MAX({{ r }}, zeros + BB_TINY);
                bb_parts_of_root(&part, &error, &series, &{{ r }});
                BB_OVER_ROOT({{ c }}, {{ f }}, part, error, series);
                BB_OVER_ROOT({{ s }}, {{ g }}, part, error, series);
                part += (part * error) * series;
                {{ r }} *= part;
                {{ c }} = BB_SELECT(turns, {{ c }}, zeros + 1);
                {{ s }} = BB_SELECT(turns, {{ s }}, zeros);
                {{ r }} = BB_SELECT(turns, {{ r }}, {{ f }});
            }
{% endmacro %}
{# Rows k and k + 1 in the blocks `low` to `high`. Other lanes are turned by nothing: their elements stay. #}
{% macro chase(q) %}
{% set s, e, f, g = ["s", q] | join, ["e", q] | join, ["f", q] | join, ["g", q] | join %}
{% set x, z = ["x", q] | join, ["z", q] | join %}
{% set c, n, cosine, sine = ["c", q] | join, ["n", q] | join, ["cosine", q] | join, ["sine", q] | join %}
            const bb_ints on{{ q }} = (low{{ q }} <= (bb_real)k) & (high{{ q }} > (bb_real)k);
{{ plane(q, f, g, c, n, ["r", q] | join) }}
            if (k)
                {{ e }}[k - 1] = BB_SELECT(on{{ q }} & (low{{ q }} < (bb_real)k), r{{ q }}, {{ e }}[k - 1]);
            bb_vec {{ x }} = zeros + {{ c }} * {{ s }}[k], y{{ q }} = zeros + {{ c }} * {{ e }}[k];
            {{ x }} += {{ n }} * {{ e }}[k];
            y{{ q }} -= {{ n }} * {{ s }}[k];
            const bb_vec {{ z }} = zeros + {{ n }} * {{ s }}[k + 1], w{{ q }} = zeros + {{ c }} * {{ s }}[k + 1];
{{ plane(q, x, z, cosine, sine, ["size", q] | join) }}
            bb_vec corner{{ q }} = zeros + {{ cosine }} * y{{ q }}, down{{ q }} = zeros + {{ cosine }} * w{{ q }};
            corner{{ q }} += {{ sine }} * w{{ q }};
            down{{ q }} -= {{ sine }} * y{{ q }};
            {{ s }}[k] = size{{ q }};
            {{ s }}[k + 1] = down{{ q }};
            {{ e }}[k] = corner{{ q }};
            {{ f }} = BB_SELECT(on{{ q }}, corner{{ q }}, {{ f }});
            {{ g }} = BB_SELECT(on{{ q }}, {{ sine }} * {{ e }}[k + 1], {{ g }});
            {{ e }}[k + 1] *= {{ cosine }}; /* behind a block it is zero */
{% if vectors and body.abreast > 1 %}
{% for name in (c, n, cosine, sine) %}
            turns[({{ q }} * 4 + {{ loop.index0 }}) * cols + k] = {{ name }};
{% endfor %}
{% elif vectors %}
            for (int64_t i = 0; i < cols; i++)
                BB_TURN(v[(k + 1) * cols + i], v[k * cols + i], {{ c }}, {{ n }});
            for (int64_t i = 0; i < rows; i++)
                BB_TURN(u[(k + 1) * rows + i], u[k * rows + i], {{ cosine }}, {{ sine }});
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
            root = zeros + half * half;
            root += both * both;
            root = BB_SELECT(root > BB_TINY, root, zeros + 1);
            bb_inverse_root(&inverse, &root);
            root *= inverse;
            root = BB_SELECT(half < 0, half - root, half + root);
            bb_reciprocal(&inverse, &root);
            two -= (both * both) * inverse;
            const bb_ints plain = poor{{ q }} | (two > 0) == 0;
            f{{ q }} = BB_SELECT(plain, head{{ q }}, head{{ q }} * head{{ q }} - two);
            g{{ q }} = BB_SELECT(plain, next{{ q }}, head{{ q }} * next{{ q }});
        }
{% endmacro %}
