{# Implicit QR of bidiagonal matrices, each lane with its own shifts and its own rows. #}
{% from "tile/singular.c" import vectors with context %}
{# Rows without a zero beside the diagonal are a block. Behind a step elements that are as good as zero become zero; of
   each lane the last block is found, rows `first` to `last` as reals, and whether a value of it is as good as zero, so
   that it is `poor`. `start` is where the block begins that element k is in. #}
{% macro look(k) %}
            {
                const bb_vec x = BB_ABS(s[{{ k }}]), y = BB_ABS(s[{{ k }} + 1]), z = BB_ABS(e[{{ k }}]);
                bb_vec limit = (x + y) * BB_UNIT;
                BB_MAX(limit, small);
                const bb_ints counts = z > limit;
                e[{{ k }}] = BB_SELECT(counts, e[{{ k }}], zeros);
                lacks = (lacks | (x <= small)) & counts;
                poor = (poor & (counts == 0)) | lacks;
                first = BB_SELECT(counts, start, first);
                last = BB_SELECT(counts, zeros + (bb_real)({{ k }} + 1), last);
                start = BB_SELECT(counts, start, zeros + (bb_real)({{ k }} + 1));
            }
{% endmacro %}
{# What lies at both ends of blocks; `top` is the last row of the last of them. #}
{% macro ends() %}
        bb_vec end = zeros, beside = zeros, over = zeros, above = zeros, head = s[0], next = e[0];
        int64_t row = top;
        top = 0;
        for (; row > 0; row--) {
            const bb_ints here = high == (bb_real)row, left = (high < (bb_real)row) & (high > 0);
            if (!top && BB_HOLDS(here))
                top = row;
            end = BB_SELECT(here, s[row], end);
            beside = BB_SELECT(here, s[row - 1], beside);
            over = BB_SELECT(here, e[row - 1], over);
            if (row > 1)
                above = BB_SELECT(here, e[row - 2], above);
            if (!BB_HOLDS(left))
                break;
        }
        if (!top)
            break;
        const bb_ints later = low > 0;
        for (int64_t k = 1; k < top && BB_HOLDS(later); k++) {
            const bb_ints here = low == (bb_real)k;
            head = BB_SELECT(here, s[k], head);
            next = BB_SELECT(here, e[k], next);
        }
{% endmacro %}
{# c, s and r with c f + s g = r, c g - s f = 0; where not `on` they are 1, 0 and f. #}
{% macro plane(f, g, c, s, r) %}
                bb_vec {{ r }} = zeros + {{ f }} * {{ f }}, {{ c }}, {{ s }};
                {{ r }} += {{ g }} * {{ g }};
                {
                    const bb_ints turns = on & ({{ r }} > BB_TINY);
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
{# Of the last two rows the shift, a value nearest to the last: none where one of the block is as good as zero. #}
{% macro shift() %}
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
        const bb_ints plain = poor | (two > 0) == 0;
        f = BB_SELECT(plain, head, head * head - two);
        g = BB_SELECT(plain, next, head * next);
{% endmacro %}
{# Rows k and k + 1 of a step in the blocks `low` to `high`. Other lanes are turned by nothing: their elements stay. #}
{% macro chase() %}
            const bb_ints on = (low <= (bb_real)k) & (high > (bb_real)k);
            if (BB_HOLDS(on)) {
{{ plane("f", "g", "c", "n", "r") }}
                if (k)
                    e[k - 1] = BB_SELECT(on & (low < (bb_real)k), r, e[k - 1]);
                bb_vec x = zeros + c * s[k], y = zeros + c * e[k];
                x += n * e[k];
                y -= n * s[k];
                const bb_vec z = zeros + n * s[k + 1], w = zeros + c * s[k + 1];
{{ plane("x", "z", "cosine", "sine", "size") }}
                s[k] = size;
                bb_vec corner = zeros + cosine * y, down = zeros + cosine * w;
                corner += sine * w;
                down -= sine * y;
                s[k + 1] = down;
                f = BB_SELECT(on, corner, f);
                e[k] = corner;
                g = BB_SELECT(on, sine * e[k + 1], g);
                e[k + 1] *= cosine; /* behind a block it is zero */
{% if vectors %}
                bb_elem *const right = v + k * cols, *const left = u + k * rows;
                for (int64_t i = 0; i < cols; i++)
                    BB_TURN(right[i + cols], right[i], c, n);
                for (int64_t i = 0; i < rows; i++)
                    BB_TURN(left[i + rows], left[i], cosine, sine);
{% endif %}
            }
{% endmacro %}
