{# Fixed batches of matrices that are interleaved in blocks with leading dimensions. #}
{% set call = compact %}
{% set real, out, count = text.real, call.output, call.matrices | length %}
{% set block, parts = family.precision.default_nb, family.precision.parts %}
/* An operand: blocks of `lines` lines of `length` elements, `ld` elements apart. */
typedef struct {
    {{ real }} *data;
    int64_t length, lines, ld;
} packed;

enum { BLOCK = {{ block }}, ELEMENT = {{ parts }} * BLOCK, OPERANDS = {{ count }} };

static void moved({{ real }} *to, int64_t to_ld, const {{ real }} *from, int64_t from_ld, const packed *x)
{
    for (int64_t j = 0; j < x->lines; j++)
        memcpy(to + j * to_ld * ELEMENT, from + j * from_ld * ELEMENT, (size_t)x->length * ELEMENT * sizeof *to);
}

/* As run_bi. Kernels take lines that follow one another: of other operands they get copies, a block at a time. */
static int run_compact(const problem *p, const packed *x{{ ", int32_t *info" if row.info }}, int64_t nm)
{
    int64_t apart[OPERANDS], all = 0;
    for (int i = 0; i < OPERANDS; i++) {
        apart[i] = x[i].data && x[i].ld > x[i].length ? x[i].length * x[i].lines : 0;
        all += apart[i];
    }
    if (!all)
        return run_bi(p, {{ call.each("x[{}].data") }}, {{ "info, " if row.info }}nm, 0);
    {{ real }} *const copies = aligned_alloc(64, (size_t)all * ELEMENT * sizeof *copies);
    int status = !copies;
    for (int64_t b = 0; !status && b * BLOCK < nm; b++) {
        {{ real }} *given[OPERANDS], *at[OPERANDS], *copy = copies;
        for (int i = 0; i < OPERANDS; i++) {
            at[i] = given[i] = x[i].data ? x[i].data + b * x[i].ld * x[i].lines * ELEMENT : NULL;
            if (apart[i]) {
                moved(copy, x[i].length, given[i], x[i].ld, &x[i]);
                at[i] = copy;
                copy += apart[i] * ELEMENT;
            }
        }
{% if row.info %}
        int32_t *const report = info ? info + b * BLOCK : NULL;
{% endif %}
        const int64_t count = nm - b * BLOCK < BLOCK ? nm - b * BLOCK : BLOCK;
        status = run_bi(p, {{ call.each("at[{}]") }}, {{ "report, " if row.info }}count, 1);
        if (apart[{{ out }}] && !status)
            moved(given[{{ out }}], x[{{ out }}].ld, at[{{ out }}], x[{{ out }}].length, &x[{{ out }}]);
    }
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
{% for flag, first in call.digits %}
    const int {{ flag }}_digit = {{ flag }} != {{ first }};
{% endfor %}
{% for name, length, lines, ld in call.matrices %}
    const packed {{ name }}_given = { ({{ real }} *){{ name }}, {{ length }}, {{ lines }}, {{ ld }} };
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
