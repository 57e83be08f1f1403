{# Implicit QL of tridiagonal matrices, each lane with its own shifts and its own rows. #}
{% from "tile/eigen.c" import get, put with context %}
{# Of each lane the first rows that are not done, `first` to `last`, as reals, and what lies there;
   `from` is before all. #}
{% macro find(n) %}
        bb_ints within = BB_ZEROS > 0, behind = within;
        bb_vec first = BB_ZEROS + (bb_real)({{ (n, -1) | index }}), last = first;
        bb_vec head = BB_ZEROS, next = head, beside = BB_ZEROS + 1, end = BB_RE(d[{{ (n, -1) | index }}]);
        int64_t begin = -1;
        for (int64_t i = from; i < {{ (n, -1) | index }}; i++) {
            const bb_vec x = BB_RE(e[i]), y = BB_RE(d[i]), z = BB_RE(d[i + 1]);
            const bb_vec small = BB_ABS(y * z) * (BB_UNIT * BB_UNIT) + BB_TINY;
            const bb_ints done = x * x <= small, left = done == 0;
            const bb_ints starts = left & (within == 0), ends = done & within & (behind == 0);
            BB_RE(e[i]) = BB_SELECT(done, BB_ZEROS, x);
            first = BB_SELECT(starts, BB_ZEROS + (bb_real)i, first);
            head = BB_SELECT(starts, y, head);
            next = BB_SELECT(starts, z, next);
            beside = BB_SELECT(starts, x, beside);
            last = BB_SELECT(ends, BB_ZEROS + (bb_real)i, last);
            end = BB_SELECT(ends, y, end);
            within |= starts;
            behind |= ends;
            if (begin < 0 && BB_HOLDS(starts))
                begin = i;
        }
        if (begin < 0)
            break;
        from = begin;
{% endmacro %}
{# A step of QL with implicit shifts from `last` to `first`, in the rows of each lane. #}
{% macro step(A, n) %}
        bb_vec g, s = BB_ZEROS + 1, c = s, less = BB_ZEROS, inverse;
        {
            bb_vec root, rough, excess, half;
            bb_reciprocal(&inverse, &beside);
            half = (next - head) * (bb_real)0.5 * inverse;
            const bb_vec size = BB_ABS(half), most = BB_ZEROS + (bb_real)0x1p50;
            root = BB_SELECT(size < most, size, most);
            root = root * root + 1;
            bb_root(&root, &inverse, &rough, &excess);
            root = BB_SELECT(size < most, root, size);
            half = BB_SELECT(half < 0, half - root, half + root);
            bb_reciprocal(&inverse, &half);
            g = end - head + beside * inverse;
        }
        for (int64_t i = {{ (n, -2) | index }}; i >= begin; i--) {
            const bb_ints on = within & (last > (bb_real)i) & (first <= (bb_real)i);
            if (!BB_HOLDS(on))
                continue;
            const bb_vec x = BB_RE(e[i]), f = BB_ZEROS + s * x, b = BB_ZEROS + c * x, here = BB_RE(d[i]);
            bb_vec h = BB_ZEROS + f * f;
            h += g * g;
            const bb_ints turns = h > BB_TINY;
            h = BB_SELECT(turns, h, BB_ZEROS + 1);
            bb_inverse_root(&inverse, &h);
            const bb_vec size = BB_SELECT(turns, h * inverse, BB_ZEROS);
            const bb_vec sine = BB_SELECT(turns, f * inverse, BB_ZEROS);
            const bb_vec cosine = BB_SELECT(turns, g * inverse, BB_ZEROS + 1);
            const bb_vec down = BB_RE(d[i + 1]) - less;
            bb_vec r = BB_ZEROS + (here - down) * sine;
            r += (2 * cosine) * b;
            const bb_vec more = BB_ZEROS + sine * r;
            BB_RE(d[i + 1]) = BB_SELECT(on, down + more, BB_RE(d[i + 1]));
            BB_RE(e[i + 1]) = BB_SELECT(on & (last > (bb_real)(i + 1)), size, BB_RE(e[i + 1]));
            g = BB_SELECT(on, cosine * r - b, g);
            less = BB_SELECT(on, more, less);
            c = BB_SELECT(on, cosine, c);
            s = BB_SELECT(on, sine, s);
            const bb_ints ends = on & (first >= (bb_real)i);
            BB_RE(d[i]) = BB_SELECT(ends, here - less, here);
            BB_RE(e[i]) = BB_SELECT(ends, g, x);
{% if body.vectors %}
            const bb_vec own = BB_SELECT(on, cosine, BB_ZEROS + 1), other = BB_SELECT(on, sine, BB_ZEROS);
            BB_UNROLL(4)
            for (int64_t k = 0; k < {{ n }}; k++) {
                bb_elem u, w;
                {{ get("u", "A", A, "k", "i") }}
                {{ get("w", "A", A, "k", ("i", 1)) }}
                BB_TURN(u, w, own, other);
                {{ put("u", "A", A, "k", "i") }}
                {{ put("w", "A", A, "k", ("i", 1)) }}
            }
{% endif %}
        }
{% endmacro %}
