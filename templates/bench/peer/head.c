/* {{ peer }}, called on a batch of {{ op }} with beta = {{ beta }}; the row-major matrices are seen as column-major ones. */
#include <stddef.h>
#include <stdint.h>
#ifdef _OPENMP
#include <omp.h>
#endif

typedef {{ real }} bb_real;
enum { {% for name, value in sizes.items() %}{{ name | upper }} = {{ value }}{{ ", " if not loop.last }}{% endfor %} };
/* Of every operand its leading dimension, and reals from one matrix of a batch to the next. */
{% for x in operands %}
enum { LD_{{ x.name }} = {{ x.rows }}, STEP_{{ x.name }} = {{ x.rows * x.cols * parts }} };
{% endfor %}
#define ARGUMENTS {% for x in operands %}{{ "const " if not x.written }}bb_real *{{ x.name }}, {% endfor %}char *work, int64_t batch, int threads
#define GIVEN {{ operands | map(attribute="name") | join(", ") }}, work, batch, threads
#define EACH_MATRIX                                                                                                    \
    _Pragma("omp parallel for schedule(static) num_threads(threads) if(threads > 1)") for (int64_t p = 0; p < batch; p++)
