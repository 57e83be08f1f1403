{# Implicit QR of bidiagonal matrices, each lane with its own shifts and its own rows. #}
{% from "tile/singular.c" import vectors with context %}
{# Of each lane the last rows that are not done, `low` to `high` as reals, and what lies there; none beyond `top` in any
   lane. `poor` are those with a value as good as zero among them. #}
{% macro find() %}
        bb_ints within = zeros > 0, behind = within, poor = within;
        bb_vec low = zeros, high = zeros, end = zeros, beside = zeros, over = zeros, above = zeros;
        bb_vec head = s[0], next = e[0];
        int64_t last = 0;
        for (int64_t i = top - 1; i >= 0; i--) {
            const bb_vec x = BB_ABS(s[i]), y = BB_ABS(s[i + 1]), limit = (x + y) * BB_UNIT;
            const bb_ints done = BB_ABS(e[i]) <= BB_SELECT(limit > small, limit, small);
            const bb_ints starts = (done == 0) & (within == 0), ends = done & within & (behind == 0);
            const bb_ints follows = within & (behind == 0) & (high == (bb_real)(i + 2));
            e[i] = BB_SELECT(done, zeros, e[i]);
            above = BB_SELECT(follows, e[i], above);
            high = BB_SELECT(starts, zeros + (bb_real)(i + 1), high);
            end = BB_SELECT(starts, s[i + 1], end);
            beside = BB_SELECT(starts, s[i], beside);
            over = BB_SELECT(starts, e[i], over);
            low = BB_SELECT(ends, zeros + (bb_real)(i + 1), low);
            head = BB_SELECT(ends, s[i + 1], head);
            next = BB_SELECT(ends, e[i + 1], next);
            within |= starts;
            behind |= ends;
            poor |= within & (behind == 0) & (x <= small);
            if (!last && BB_HOLDS(starts))
                last = i + 1;
        }
        if (!last)
            break;
        top = last;
{% endmacro %}
{# c, s and r with c f + s g = r, c g - s f = 0. #}
{% macro plane(f, g, c, s, r) %}
            bb_vec {{ r }} = zeros + {{ f }} * {{ f }}, {{ c }}, {{ s }};
            {{ r }} += {{ g }} * {{ g }};
            {
                const bb_ints on = {{ r }} > BB_TINY;
                bb_vec inverse;
                {{ r }} = BB_SELECT(on, {{ r }}, zeros + 1);
                bb_inverse_root(&inverse, &{{ r }});
                {{ c }} = BB_SELECT(on, {{ f }} * inverse, zeros + 1);
                {{ s }} = BB_SELECT(on, {{ g }} * inverse, zeros);
                {{ r }} = BB_SELECT(on, {{ r }} * inverse, {{ f }});
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
{# A step from `low` to `high`, in the rows of each lane. #}
{% macro chase() %}
        bb_vec f, g;
        {
{{ shift() }}
        }
        for (int64_t k = 0; k < top; k++) {
            const bb_ints on = within & (low <= (bb_real)k) & (high > (bb_real)k);
            if (!BB_HOLDS(on))
                continue;
{{ plane("f", "g", "c", "n", "r") }}
            if (k)
                e[k - 1] = BB_SELECT(on & (low < (bb_real)k), r, e[k - 1]);
            bb_vec x = zeros + c * s[k], y = zeros + c * e[k];
            x += n * e[k];
            y -= n * s[k];
            const bb_vec z = zeros + n * s[k + 1], w = zeros + c * s[k + 1];
{{ plane("x", "z", "cosine", "sine", "size") }}
            s[k] = BB_SELECT(on, size, s[k]);
            bb_vec corner = zeros + cosine * y, down = zeros + cosine * w;
            corner += sine * w;
            down -= sine * y;
            s[k + 1] = BB_SELECT(on, down, s[k + 1]);
            const bb_vec far = e[k + 1];
            g = BB_SELECT(on, sine * far, g);
            e[k + 1] = BB_SELECT(on & (high > (bb_real)(k + 1)), cosine * far, far);
            e[k] = BB_SELECT(on, corner, e[k]);
            f = BB_SELECT(on, corner, f);
{% if vectors %}
            c = BB_SELECT(on, c, zeros + 1);
            n = BB_SELECT(on, -n, zeros);
            cosine = BB_SELECT(on, cosine, zeros + 1);
            sine = BB_SELECT(on, -sine, zeros);
            bb_elem *const right = v + k * cols, *const left = u + k * rows;
            for (int64_t i = 0; i < cols; i++)
                BB_TURN(right[i], right[i + cols], c, n);
            for (int64_t i = 0; i < rows; i++)
                BB_TURN(left[i], left[i + rows], cosine, sine);
{% endif %}
        }
{% endmacro %}
