{# A tile of C := alpha op(A) op(B) + beta C of large matrices, by a block: a thread has some elements in registers, as
   far apart as there are threads along a side. Factors go through shared memory, some steps of k at a time; while these
   are multiplied the next ones are on their way. A, B and C are the views of an m x n product, `factors` the operands
   that the first two are of; or only the `lower` triangle is done, with a `real` diagonal. #}
{% import "tile/device_factors.cu" as blocks with context %}
{% macro steps_of(X) %}{{ X.at(1, 0) }}, {{ X.at(0, 1) }}{% endmacro %}
{% macro put(lower, real) %}
{% set rows, cols, side = schedule.rows, schedule.cols, schedule.side %}
/* C := alpha times what a thread has, plus beta C, inside of m x n elements. The address of a column is
   made when it is its turn, or registers would not suffice for all. */
static BB_INLINE void bb_put(const int alpha_is, const int beta_is, const bb_elem (*const c)[{{ rows }}],
                             const bb_scalar alpha, const bb_scalar beta, bb_real *C, const int64_t rsc,
                             const int64_t csc, const int m, const int n{{ ", const int64_t beyond" if lower }})
{
    BB_UNROLLED
    for (int q = 0; q < {{ cols }}; q++) {
        BB_UNROLLED
        for (int r = 0; r < {{ rows }}; r++) {
            if (r * {{ side }} < m && q * {{ side }} < n{{ " && (q - r) * " ~ side ~ " <= beyond" if lower }}) {
                bb_real *const at = C + r * {{ side }} * rsc;
                bb_elem x = c[q][r];
                if (alpha_is == BB_ANY)
                    BB_SCALE(x, alpha);
{% if real %}
                const int diagonal = (q - r) * {{ side }} == beyond;
                if (BB_NONZERO(beta_is, beta)) {
                    if (diagonal)
                        BB_ADD_OLD_REAL(x, at, 1);
                    else
                        BB_ADD_OLD(x, at, 1);
                }
                if (diagonal)
                    x.im = BB_ZEROS;
{% else %}
                if (BB_NONZERO(beta_is, beta))
                    BB_ADD_OLD(x, at, 1);
{% endif %}
                BB_PUT(at, 1, x);
            }
        }
        C += {{ side }} * csc;
        BB_ANEW_FROM(C);
    }
}

/* At most what fits in a tile. */
static BB_INLINE int bb_rest(const int64_t rest)
{
    return rest < {{ schedule.widest }} ? (int)rest : {{ schedule.widest }};
}
{% endmacro %}
{% macro product(A, B, C, m, n, k, factors, lower, real) %}
{% set rows, cols, side, mr, nr = schedule.rows, schedule.cols, schedule.side, schedule.mr, schedule.nr %}
{% set steps_at_once, strip = schedule.unroll, schedule.strip %}
{{ blocks.bring("rows", mr, A.cs != 1) }}
{{ blocks.bring("columns", nr, B.rs != 1) }}
{{ blocks.multiply(A, B) }}
{{ put(lower, real) }}
/* A tile of C, one of all matrices'. Neighbours come down {{ strip }} columns of tiles: they share what they read. */
static BB_INLINE void bb_tile({{ kinds_parameters }}const bb_args *const g, const int64_t number)
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
    __shared__ __align__(16) bb_real slivers_a[2 * {{ schedule.plane(mr) * parts }}];
    __shared__ __align__(16) bb_real slivers_b[2 * {{ schedule.plane(nr) * parts }}];
    const int64_t down = ({{ m }} + {{ mr - 1 }}) / {{ mr }}, across = ({{ n }} + {{ nr - 1 }}) / {{ nr }};
    const int64_t p = number / (down * across), t = number % (down * across);
    const int64_t first = t / (down * {{ strip }}) * {{ strip }};
    const int64_t strip = across - first < {{ strip }} ? across - first : {{ strip }};
    const int64_t inside = t - first * down, i = inside / strip * {{ mr }}, j = (first + inside % strip) * {{ nr }};
{% if lower %}
    if (i + {{ mr }} <= j)
        return;
{% endif %}
    const int near = (int)threadIdx.x % {{ side }}, far = (int)threadIdx.x / {{ side }};
    const int down_by = {{ "far" if C.cs == 1 else "near" }}, across_by = {{ "near" if C.cs == 1 else "far" }};
{% for x in operands %}
    {{ x.const }}bb_real *{{ x.name }} = {{ x.pointer("p", "nullptr") if x.storage == "pp" else x.matrix("p") }};
{% endfor %}
    const int rows = bb_rest({{ m }} - i), columns = bb_rest({{ n }} - j);
    const bb_real *const left = {{ factors[0] }} + {{ A.at("i", 0) }};
    const bb_real *const right = {{ factors[1] }} + {{ B.at(0, "j") }};
    C += {{ C.at("(i + down_by)", "(j + across_by)") }};
    const bb_scalar one = {{ "{1, 0}" if complex else "1" }};
    const int64_t all = alpha_is ? {{ k }} : 0, panels = (all + {{ schedule.kc - 1 }}) / {{ schedule.kc }};
    const int64_t most = panels > 1 ? (all + panels - 1) / panels : all;
    int64_t l = 0;
    int stage = 0;
    do {
        const int steps = (int)(all - l < most ? all - l : most);
        bb_elem c[{{ cols }}][{{ rows }}];
        BB_UNROLLED
        for (int q = 0; q < {{ cols * rows }}; q++)
            BB_ZERO(c[q / {{ rows }}][q % {{ rows }}]);
        for (int s = -{{ steps_at_once }}; s < steps; s += {{ steps_at_once }}) {
            const int next = s + {{ steps_at_once }};
            bb_real *const a = slivers_a + stage * {{ schedule.plane(mr) * parts }};
            bb_real *const b = slivers_b + stage * {{ schedule.plane(nr) * parts }};
            BB_ARRIVED();
            __syncthreads();
            if (next < steps) {
                bb_bring_rows(a, left + {{ A.at(0, "(l + next)") }}, {{ steps_of(A) }}, rows, steps - next);
                bb_bring_columns(b, right + {{ B.at("(l + next)", 0) }}, {{ steps_of(B.transposed()) }},
                                 columns, steps - next);
            }
            stage ^= 1;
            if (s >= 0)
                bb_multiply(c, slivers_a + stage * {{ schedule.plane(mr) * parts }} + down_by,
                            slivers_b + stage * {{ schedule.plane(nr) * parts }} + across_by);
        }
        bb_put(alpha_is, l ? 1 : beta_is, c, alpha, l ? one : beta, C, {{ steps_of(C) }},
               rows - down_by, columns - across_by{{ ", i + down_by - j - across_by" if lower }});
        l += steps;
    } while (l < all);
}
{% endmacro %}
