{# C := alpha op(A) op(B) + beta C of large matrices: a thread has elements of a tile of C in registers, as far
   apart as there are threads along a side. Both factors go through shared memory, some steps of k at a time; while these are multiplied
   the next ones are on their way. #}
{% set A, B, C = body.views %}
{% set steps_at_once, mr, nr, rows, cols = schedule.unroll, schedule.mr, schedule.nr, schedule.rows, schedule.cols %}
{% set side = mr // rows %}
{% set m, n, k = body.size.m, body.size.n, body.size.k %}
{% macro steps_of(X) %}{{ X.at(1, 0) }}, {{ X.at(0, 1) }}{% endmacro %}
{# Its steps of k are rows in shared memory, imaginary parts behind all real ones. #}
{% macro bring(name, what, size, along) %}
{% set pitch = schedule.pitch(size) %}
/* So many steps of {{ size }} {{ what }}, zeros beyond the last. */
static BB_INLINE void bb_bring_{{ what }}(bb_real *const to, const bb_real *const from, const int64_t step, const int64_t next,
                                const int rest, const int steps)
{
    BB_PLACE(place, to);
    BB_UNROLL(1)
    for (int q = 0; q < {{ size * steps_at_once // schedule.threads }}; q++) {
        const int t = (int)threadIdx.x + q * {{ schedule.threads }};
{% if along %}
        const int i = t % {{ size }}, l = t / {{ size }}, at = l * {{ pitch }} + i;
{% else %}
        const int l = t % {{ steps_at_once }}, i = t / {{ steps_at_once }}, at = l * {{ pitch }} + i;
{% endif %}
        if (i < rest && l < steps) {
            const bb_real *const x = from + i * step + l * next;
{% for part in range(parts) %}
            bb_bring(place, at + {{ part * pitch * steps_at_once }}, x + {{ part }});
{% endfor %}
        } else {
{% for part in range(parts) %}
            to[at + {{ part * pitch * steps_at_once }}] = 0;
{% endfor %}
        }
    }
}
{% endmacro %}
{{ bring("A", "rows", mr, A.cs != 1) }}

{{ bring("B", "columns", nr, B.rs != 1) }}

static BB_INLINE void bb_multiply(bb_elem (*const c)[{{ rows }}], const bb_real *const a, const bb_real *const b)
{
    BB_UNROLLED
    for (int l = 0; l < {{ steps_at_once }}; l++) {
        bb_elem x[{{ rows }}], y;
        BB_UNROLLED
        for (int r = 0; r < {{ rows }}; r++)
            BB_GET(x[r], a + l * {{ schedule.pitch(mr) }} + r * {{ side }}, {{ schedule.pitch(mr) * steps_at_once }});
        BB_UNROLLED
        for (int q = 0; q < {{ cols }}; q++) {
            BB_GET(y, b + l * {{ schedule.pitch(nr) }} + q * {{ side }}, {{ schedule.pitch(nr) * steps_at_once }});
            BB_UNROLLED
            for (int r = 0; r < {{ rows }}; r++)
                BB_FMA(c[q][r], x[r], y, {{ A.conj | int }}, {{ B.conj | int }});
        }
    }
}

/* C := alpha times what a thread has, plus beta C, inside of m x n elements. The address of a column is made when it is its
   turn, or registers would not suffice for all. */
static BB_INLINE void bb_put(const int alpha_is, const int beta_is, const bb_elem (*const c)[{{ rows }}],
                             const bb_scalar alpha, const bb_scalar beta, bb_real *C, const int64_t rsc,
                             const int64_t csc, const int m, const int n)
{
    BB_UNROLLED
    for (int q = 0; q < {{ cols }}; q++) {
        BB_UNROLLED
        for (int r = 0; r < {{ rows }}; r++) {
            if (r * {{ side }} < m && q * {{ side }} < n) {
                bb_real *const at = C + r * {{ side }} * rsc;
                bb_elem x = c[q][r];
                if (alpha_is == BB_ANY)
                    BB_SCALE(x, alpha);
                if (BB_NONZERO(beta_is, beta))
                    BB_ADD_OLD(x, at, 1);
                BB_PUT(at, 1, x);
            }
        }
        C += {{ side }} * csc;
        BB_ANEW(C);
    }
}

/* At most what fits in a tile. */
static BB_INLINE int bb_rest(const int64_t rest)
{
    return rest < {{ [mr, nr] | max }} ? (int)rest : {{ [mr, nr] | max }};
}

/* A tile of C, one of all matrices'. Neighbours come down {{ schedule.strip }} columns of tiles, so they share what they read. */
static BB_INLINE void bb_tile({{ kinds_parameters }}const bb_args *const g, const int64_t number)
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
    __shared__ __align__(16) bb_real slivers_a[2 * {{ schedule.pitch(mr) * steps_at_once * parts }}];
    __shared__ __align__(16) bb_real slivers_b[2 * {{ schedule.pitch(nr) * steps_at_once * parts }}];
    const int64_t down = ({{ m }} + {{ mr - 1 }}) / {{ mr }}, across = ({{ n }} + {{ nr - 1 }}) / {{ nr }};
    const int64_t p = number / (down * across), t = number % (down * across);
    const int64_t first = t / (down * {{ schedule.strip }}) * {{ schedule.strip }};
    const int64_t strip = across - first < {{ schedule.strip }} ? across - first : {{ schedule.strip }};
    const int64_t inside = t - first * down, i = inside / strip * {{ mr }}, j = (first + inside % strip) * {{ nr }};
    const int down_by = (int)threadIdx.x % {{ side }}, across_by = (int)threadIdx.x / {{ side }};
{% for x in operands %}
    {{ x.const }}bb_real *{{ x.name }} = {{ x.matrix("p") }};
{% endfor %}
    A += {{ A.at("i", 0) }};
    B += {{ B.at(0, "j") }};
    C += {{ C.at("(i + down_by)", "(j + across_by)") }};
    const bb_scalar one = {{ "{1, 0}" if complex else "1" }};
    const int64_t all = alpha_is ? {{ k }} : 0, panels = (all + {{ schedule.kc - 1 }}) / {{ schedule.kc }};
    const int64_t most = panels > 1 ? (all + panels - 1) / panels : all;
    int64_t l = 0;
    int stage = 0;
    do {
        const int64_t steps = all - l < most ? all - l : most;
        bb_elem c[{{ cols }}][{{ rows }}];
        BB_UNROLLED
        for (int q = 0; q < {{ cols }}; q++) {
            BB_UNROLLED
            for (int r = 0; r < {{ rows }}; r++)
                BB_ZERO(c[q][r]);
        }
        for (int64_t s = -{{ steps_at_once }}; s < steps; s += {{ steps_at_once }}) {
            const int64_t next = s + {{ steps_at_once }};
            bb_real *const a = slivers_a + stage * {{ schedule.pitch(mr) * steps_at_once * parts }};
            bb_real *const b = slivers_b + stage * {{ schedule.pitch(nr) * steps_at_once * parts }};
            BB_ARRIVED();
            __syncthreads();
            if (next < steps) {
                bb_bring_rows(a, A + {{ A.at(0, "(l + next)") }}, {{ steps_of(A) }}, bb_rest({{ m }} - i),
                              bb_rest(steps - next));
                bb_bring_columns(b, B + {{ B.at("(l + next)", 0) }}, {{ steps_of(B.transposed()) }}, bb_rest({{ n }} - j),
                                 bb_rest(steps - next));
            }
            stage ^= 1;
            if (s >= 0)
                bb_multiply(c, slivers_a + stage * {{ schedule.pitch(mr) * steps_at_once * parts }} + down_by,
                            slivers_b + stage * {{ schedule.pitch(nr) * steps_at_once * parts }} + across_by);
        }
        bb_put(alpha_is, l ? 1 : beta_is, c, alpha, l ? one : beta, C, {{ steps_of(C) }},
               bb_rest({{ m }} - i) - down_by, bb_rest({{ n }} - j) - across_by);
        l += steps;
    } while (l < all);
}
