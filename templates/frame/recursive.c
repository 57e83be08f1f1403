{# A function for each operation that a problem comes to, and the loop over the batch. #}
{% include "frame/head.c" %}
#include <stdlib.h>
#include <string.h>

{% include "simd/cpu.c" %}
{% if complex %}
typedef struct {
    bb_real re, im;
} bb_scalar;
#define BB_IS(s, value) ((s).re == (value) && (s).im == 0)
#define BB_CONJUGATE(s) ((bb_scalar){(s).re, -(s).im})
{% else %}
typedef bb_real bb_scalar;
#define BB_IS(s, value) ((s) == (value))
{% endif %}
#define BB_ANY 2

{% include "tile/recursive_share.c" %}

{% include "tile/recursive_products.c" %}
{% from "simd/transpose.c" import transpose with context %}
{{ transpose(width, width) }}
{% include "tile/recursive_panel.c" %}

{% include "tile/recursive_rows.c" %}

{% include "tile/recursive_triangle.c" %}

{% include "tile/recursive_blocks.c" %}

{% include "tile/recursive_corner.c" %}

{% include "tile/recursive_few.c" %}

{% include "tile/recursive_cholesky.c" %}

{% include "tile/recursive_lu.c" %}

{% for node in nodes %}
{% include "tile/recursive_node.c" %}

{% endfor %}
typedef struct {
{% for field in fields %}
    {{ field }};
{% endfor %}
    bb_means means;
    int *failed;
} bb_args;

/* Matrices lo to hi - 1, one after another. */
static void bb_part(const void *arguments, const int64_t lo, const int64_t hi, const int64_t share)
{
    const bb_args *g = (const bb_args *)arguments;
    (void)share;
{% for size in unknown %}
    const int64_t {{ size }} = g->{{ size }};
{% endfor %}
{% for name in scalars if name ~ "_is" in root_arguments %}
    const int {{ name }}_is = g->{{ name }}_is;
{% endfor %}
    for (int64_t p = lo; p < hi; p++) {
        const int64_t found = {{ root.name }}(g->means, {{ root_arguments }});
        if (found < 0)
            __atomic_store_n(g->failed, 1, __ATOMIC_RELAXED);
{% if info %}
        g->info[p] = (int32_t)found;
{% endif %}
    }
}

/* `work`: the memory of all parts, where a caller has it, which must then be on one thread. */
static int bb_call({{ parameters }}, char *work)
{
{% for bad, position in checks %}
    if ({{ bad }})
        return -{{ position }};
{% endfor %}
    int failed = 0;
    const int apart = batch_count >= {{ apart }} && num_threads != 1; /* threads share the batch, else each matrix */
    const bb_args g = { {{ initializers }}, { apart ? 1 : num_threads, work }, &failed };
    if (apart)
        bb_share(bb_part, &g, batch_count, 1, num_threads, {{ nanoseconds }} * (double)batch_count);
    else
        bb_part(&g, 0, batch_count, batch_count);
    return failed;
}

{% set called, bytes = "bb_call", root_bytes %}
{% include "frame/entry_points.c" %}
