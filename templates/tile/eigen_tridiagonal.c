{# Reflections make A tridiagonal, with a real diagonal d and reals e beside it; implicit QL makes it diagonal, each lane
   with its own shifts and its own rows. Vectors are made of the reflections in the place of A. #}
{% from "tile/eigen.c" import finite, value with context %}
{% set together = 4 %}
{% set most_steps = 30 %}
{% macro get(x, t, T, i, j) %}
BB_GET({{ x }}, {{ t }} + {{ T.at(i, j) }}, {{ T.im }});{{ " BB_CONJ(" ~ x ~ ");" if T.conj }}
{%- endmacro %}
{% macro put(x, t, T, i, j) %}
{{ "BB_CONJ(" ~ x ~ "); " if T.conj }}BB_PUT({{ t }} + {{ T.at(i, j) }}, {{ T.im }}, {{ x }});
{%- endmacro %}
{# The elements of the lower triangle go to T, scaled. #}
{% macro scale(low, t, T, n) %}
    for (int64_t j = 0; j < {{ n }}; j++)
        for (int64_t i = j; i < {{ n }}; i++) {
            bb_elem x;
            {{ get("x", "A", low, "i", "j") }}
            if (i == j)
                BB_REAL(x);
            BB_SURVEY(largest, lack, x);
        }
{{ finite() }}
    for (int64_t j = 0; j < {{ n }}; j++)
        for (int64_t i = j; i < {{ n }}; i++) {
            bb_elem x;
            {{ get("x", "A", low, "i", "j") }}
            if (i == j)
                BB_REAL(x);
            BB_SCALED(x, down);
            BB_REPLACE(x, bad, zero);
            {{ put("x", t, T, "i", "j") }}
        }
{% endmacro %}
{# H* A H, H = I - tau v v* the reflection that leaves of column k one element below the diagonal; v takes its place. #}
{% macro reduce(t, T, n) %}
        bb_elem head, shrink, times, dot = zero, v, x;
        bb_vec rest = BB_ZEROS, norm, inverse, rough, excess;
        {{ get("x", t, T, "k", "k") }}
        BB_RE(d[k]) = BB_RE(x);
        {{ get("head", t, T, ("k", 1), "k") }}
        for (int64_t i = k + 2; i < {{ n }}; i++) {
            {{ get("x", t, T, "i", "k") }}
            BB_ADD_SQUARE(rest, x);
        }
        BB_ADD_IM_SQUARE(rest, head);
        const bb_ints on = rest > BB_TINY, off = on == 0, negative = BB_RE(head) > 0;
        norm = rest;
        norm += BB_RE(head) * BB_RE(head);
        norm = BB_SELECT(on, norm, BB_ZEROS + 1);
        bb_root(&norm, &inverse, &rough, &excess);
        norm = BB_SELECT(negative, -norm, norm);
        norm = BB_SELECT(on, norm, BB_RE(head));
        BB_RE(e[k]) = norm;
        shrink = head;
        BB_SET_REAL(shrink, BB_RE(head) - norm);
        times = shrink;
        BB_TIMES_REAL(times, BB_SELECT(negative, inverse, -inverse));
        BB_REPLACE(times, off, zero);
        tau[k] = times;
        BB_REPLACE(shrink, off, one);
        BB_INVERT(shrink, 0);
        BB_REPLACE(shrink, off, zero);
        x = one;
        {{ put("x", t, T, ("k", 1), "k") }}
        p[k + 1] = zero;
        for (int64_t i = k + 2; i < {{ n }}; i++) {
            {{ get("x", t, T, "i", "k") }}
            BB_TIMES(x, shrink);
            {{ put("x", t, T, "i", "k") }}
            p[i] = zero;
        }
        for (int64_t j = k + 1; j < {{ n }}; j++) { /* p = A v */
            {{ get("v", t, T, "j", "k") }}
            {{ get("x", t, T, "j", "j") }}
            bb_elem sum = v;
            BB_SCALED(sum, BB_RE(x));
            for (int64_t i = j + 1; i < {{ n }}; i++) {
                bb_elem other;
                {{ get("x", t, T, "i", "j") }}
                {{ get("other", t, T, "i", "k") }}
                BB_FMA(sum, x, other, 1, 0);
                BB_FMA(p[i], x, v, 0, 0);
            }
            BB_ADD(p[j], sum);
        }
        for (int64_t i = k + 1; i < {{ n }}; i++) {
            {{ get("v", t, T, "i", "k") }}
            BB_TIMES(p[i], times);
            BB_FMA(dot, p[i], v, 1, 0);
        }
        BB_TIMES(dot, times);
        BB_TIMES_REAL(dot, BB_ZEROS + (bb_real)0.5);
        for (int64_t i = k + 1; i < {{ n }}; i++) {
            {{ get("v", t, T, "i", "k") }}
            BB_FMS(p[i], dot, v, 0, 0);
        }
        for (int64_t j = k + 1; j < {{ n }}; j++) { /* A - v p* - p v* */
            const bb_elem with = p[j];
            {{ get("v", t, T, "j", "k") }}
            for (int64_t i = j; i < {{ n }}; i++) {
                bb_elem other;
                {{ get("x", t, T, "i", "j") }}
                {{ get("other", t, T, "i", "k") }}
                BB_FMS(x, other, with, 0, 1);
                BB_FMS(x, p[i], v, 0, 1);
                {{ put("x", t, T, "i", "j") }}
            }
        }
{% endmacro %}
{# Columns j.. of the product of reflections behind number k, from row k + 1, times reflection k. #}
{% macro reflected(low, A, n, count) %}
                bb_elem v, x{% for q in range(count) %}, s{{ q }} = zero{% endfor %};
                for (int64_t i = k + 1; i < {{ n }}; i++) {
                    {{ get("v", "A", low, "i", "k") }}
{% for q in range(count) %}
                    {{ get("x", "A", A, "i", ("j", q)) }}
                    BB_FMA(s{{ q }}, v, x, 1, 0);
{% endfor %}
                }
{% for q in range(count) %}
                BB_TIMES(s{{ q }}, tau[k]);
{% endfor %}
                for (int64_t i = k + 1; i < {{ n }}; i++) {
                    {{ get("v", "A", low, "i", "k") }}
{% for q in range(count) %}
                    {{ get("x", "A", A, "i", ("j", q)) }}
                    BB_FMS(x, v, s{{ q }}, 0, 0);
                    {{ put("x", "A", A, "i", ("j", q)) }}
{% endfor %}
                }
{% endmacro %}
{# Row and column k of the unit matrix from the diagonal on. #}
{% macro unit(A, n, k) %}
            BB_PUT(A + {{ A.at(k, k) }}, {{ A.im }}, one);
            for (int64_t i = {{ (k, 1) | index }}; i < {{ n }}; i++) {
                BB_PUT(A + {{ A.at("i", k) }}, {{ A.im }}, zero);
                BB_PUT(A + {{ A.at(k, "i") }}, {{ A.im }}, zero);
            }
{% endmacro %}
{% macro accumulate(low, A, n) %}
    for (int64_t k = {{ (n, -2) | index }}; k >= 0; k--) {
{{ unit(A, n, ("k", 1)) }}
        int64_t j = k + 1;
        for (; j + {{ together }} <= {{ n }}; j += {{ together }}) {
{{ reflected(low, A, n, together) }}
        }
        for (; j < {{ n }}; j++) {
{{ reflected(low, A, n, 1) }}
        }
    }
{{ unit(A, n, 0) }}
{% endmacro %}
{# Of each lane the first rows that are not done, `first` to `last`, as reals, and what lies there; `from` is before all. #}
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
{# Batcher's odd-even merge sort. #}
{% macro sort(A, n) %}
    for (int64_t part = 1; part < {{ n }}; part *= 2)
        for (int64_t apart = part; apart > 0; apart /= 2)
            for (int64_t start = apart % part; start < {{ n }} - apart; start += 2 * apart)
                for (int64_t i = start; i < start + apart && i < {{ n }} - apart; i++) {
                    const int64_t with = i + apart;
                    if (i / (2 * part) != with / (2 * part))
                        continue;
                    const bb_ints exchange = BB_RE(d[i]) > BB_RE(d[with]);
                    if (!BB_HOLDS(exchange))
                        continue;
                    BB_SWAP_REAL(BB_RE(d[i]), BB_RE(d[with]), exchange);
{% if body.vectors %}
                    for (int64_t k = 0; k < {{ n }}; k++) {
                        bb_elem u, w;
                        {{ get("u", "A", A, "k", "i") }}
                        {{ get("w", "A", A, "k", "with") }}
                        BB_SWAP(u, w, exchange);
                        {{ put("u", "A", A, "k", "i") }}
                        {{ put("w", "A", A, "k", "with") }}
                    }
{% endif %}
                }
{% endmacro %}
{% macro decompose(A, low, W) %}
{% set n = body.size.n %}
{% set t, T = ("A", low) if body.vectors else ("copy", local(n)) %}
{% for name in scratch.of(body.number) %}
    {{ body.array(name, "BB_ALIGNED") }}
{% endfor %}
    bb_elem zero, one;
    bb_vec largest = BB_ZEROS, lack = BB_ZEROS, down, up;
    BB_ZERO(zero);
    one = zero;
    BB_SET_REAL(one, BB_ZEROS + 1);
{{ scale(low, t, T, n) }}
    for (int64_t k = 0; k < {{ (n, -1) | index }}; k++) {
{{ reduce(t, T, n) }}
    }
    {
        bb_elem x;
        {{ get("x", t, T, (n, -1), (n, -1)) }}
        BB_RE(d[{{ (n, -1) | index }}]) = BB_RE(x);
        BB_RE(e[{{ (n, -1) | index }}]) = BB_ZEROS;
    }
{% if body.vectors %}
{{ accumulate(low, A, n) }}
{% endif %}
    int64_t from = 0;
    for (int64_t steps = 0;; steps++) {
{{ find(n) }}
        if (steps == {{ most_steps }} * {{ n }}) { /* what is left is counted */
            for (int64_t i = 0; i < {{ (n, -1) | index }}; i++)
                BB_COUNT(*info, BB_RE(e[i]) != 0);
            break;
        }
{{ step(A, n) }}
    }
{{ sort(A, n) }}
    for (int64_t i = 0; i < {{ n }}; i++) {
{{ value(W, "i", "BB_RE(d[i])") }}
    }
{% if body.vectors %}
    for (int64_t j = 0; j < {{ n }}; j++)
        for (int64_t i = 0; i < {{ n }}; i++) {
            bb_elem x;
            {{ get("x", "A", A, "i", "j") }}
            BB_SCALED(x, whole);
            {{ put("x", "A", A, "i", "j") }}
        }
{% endif %}
{% endmacro %}
