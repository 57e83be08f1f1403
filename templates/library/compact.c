{# Fixed batches of matrices that are interleaved in blocks with leading dimensions. #}
{% set call = compact %}
{% set real, out, count = text.real, call.output, call.matrices | length %}
{% set block, parts = family.precision.default_nb, family.precision.parts %}
/* An operand: blocks of `lines` lines of `length` elements, `ld` elements apart. Kernels see each as a column, or, where
 * `transposed`, as a row. */
typedef struct {
    {{ real }} *data;
    int64_t length, lines, ld;
    int transposed;
} packed;

/* `ROOM` numbers are a part of a level-1 cache. */
enum { BLOCK = {{ block }}, ELEMENT = {{ parts }} * BLOCK, OPERANDS = {{ count }}, ROOM = 16384 / sizeof({{ real }}) };

/* Some blocks to copies whose columns follow one another, or back. */
static void moved(const packed *x, {{ real }} *block, {{ real }} *copy, int64_t blocks, int back)
{
    const int64_t down = x->transposed ? x->lines : 1, right = x->transposed ? 1 : x->length;
    for (; blocks > 0; blocks--, block += x->ld * x->lines * ELEMENT, copy += x->length * x->lines * ELEMENT)
        for (int64_t j = 0; j < x->lines; j++)
            for (int64_t i = 0; i < x->length; i++) {
                {{ real }} *const here = block + (j * x->ld + i) * ELEMENT;
                {{ real }} *const there = copy + (i * down + j * right) * ELEMENT;
                memcpy(back ? here : there, back ? there : here, ELEMENT * sizeof *here);
            }
}

/* As run_bi. Kernels take columns that follow one another: of other operands they get copies, some blocks at a time. */
static int run_compact(const problem *p, const packed *x{{ ", int32_t *info" if row.info }}, int64_t nm)
{
    int64_t apart[OPERANDS], all = 0;
    for (int i = 0; i < OPERANDS; i++) {
        apart[i] = x[i].data && (x[i].transposed || x[i].ld > x[i].length) ? x[i].length * x[i].lines * ELEMENT : 0;
        all += apart[i];
    }
    if (!all)
        return run_bi(p, {{ call.each("x[{}].data") }}, {{ "info, " if row.info }}nm, 0);
    _Alignas(64) {{ real }} room[ROOM];
    {{ real }} *const copies = all <= ROOM ? room : aligned_alloc(64, (size_t)all * sizeof *copies);
    const int64_t most = all <= ROOM ? ROOM / all : 1;
    int status = !copies;
    for (int64_t b = 0; !status && b * BLOCK < nm; b += most) {
        const int64_t count = nm - b * BLOCK < most * BLOCK ? nm - b * BLOCK : most * BLOCK;
        const int64_t blocks = (count + BLOCK - 1) / BLOCK;
        {{ real }} *given[OPERANDS], *at[OPERANDS], *copy = copies;
        for (int i = 0; i < OPERANDS; i++) {
            at[i] = given[i] = x[i].data ? x[i].data + b * x[i].ld * x[i].lines * ELEMENT : NULL;
            if (apart[i]) {
                moved(&x[i], given[i], copy, blocks, 0);
                at[i] = copy;
                copy += apart[i] * blocks;
            }
        }
{% if row.info %}
        int32_t *const report = info ? info + b * BLOCK : NULL;
{% endif %}
        status = run_bi(p, {{ call.each("at[{}]") }}, {{ "report, " if row.info }}count, 1);
        if (apart[{{ out }}] && !status)
            moved(&x[{{ out }}], given[{{ out }}], at[{{ out }}], blocks, 1);
    }
    if (copies != room)
        free(copies);
    return status;
}

EXPORT {{ call.declaration[:-1] }}
{
{% include "library/problem.c" %}
    if (format != {{ block_format }})
        return -{{ call.names.index("format") + 1 }};
    if (nm < 0)
        return -{{ call.names.index("nm") + 1 }};
    const int row_major = layout == 101;
{% if not family.turns %}
    p.code -= row_major;
{% endif %}
{% if call.workspace %}
    if (lwork < -1)
        return -{{ call.names.index("lwork") + 1 }};
    if (lwork == -1 && !work)
        return -{{ call.names.index("work") + 1 }};
    if (lwork == -1) {
        *work = ({{ real }})({{ call.workspace }} * ELEMENT);
        return 0;
    }
{% endif %}
{% for flag, first in call.digits %}
    const int {{ flag }}_digit = {{ flag }} != {{ first }};
{% endfor %}
{% for name, length, lines, ld in call.matrices %}
    const packed {{ name }}_given = { ({{ real }} *){{ name }}, {{ length }}, {{ lines }}, {{ ld }}, {{ call.transposed }} };
{% endfor %}
    const packed x[OPERANDS] = { {{ call.turned | join(", ") }} };
    const int status = run_compact(&p, x, {{ "info, " if row.info }}nm);
{% include "library/status.c" %}
}
{% for f in named %}

EXPORT {{ f.declaration[:-1] }}
{
{% if row.info %}
    int32_t *const each = calloc((size_t)(nm > 0 ? nm : 1), sizeof *each);
    const int status = each ? {{ f.own.symbol }}({{ f.arguments }}) : 1;
    *info = status < 0 ? status : 0;
    for (int64_t i = 0; each && *info == 0 && i < nm; i++)
        *info = each[i];
    free(each);
{% else %}
    const int status = {{ f.own.symbol }}({{ f.arguments }});
{% endif %}
    if (status < 0)
        refused("{{ f.symbol }}", -status);
    if (status > 0)
        without_memory("{{ f.symbol }}");
}
{% endfor %}
