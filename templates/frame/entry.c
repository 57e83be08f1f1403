{# The C entry point: checks, and the split of the batch among threads. #}
{% if not shared %}
{% include "frame/cost.c" %}
{% endif %}
#ifdef BB_POOL
{% if not shared %}
{% include "frame/pool.c" %}

{% endif %}
static void bb_share(const void *g, int64_t lo, int64_t hi, int64_t share)
{
    bb_part(g, lo, hi{{ ", share" if distant }});
{% if not distant %}
    (void)share;
{% endif %}
}
#endif

{% set count = "count" if units or sliced or pieces else "batch_count" %}
{% macro done_by_all() %}
{% include "frame/argument_block.c" %}
{% include "frame/share.c" %}
    bb_part(&g, 0, {{ count }}{{ ", batch_count" if distant }});
{% if scratch.heap %}
    if (!given)
        free(work);
{% elif divided %}
#if defined(BB_POOL) || defined(_OPENMP)
    free(part);
#endif
{% endif %}
    return 0;
{% endmacro %}
{% macro checked() %}
{% for bad, position in checks if not inner %}
    if ({{ bad }})
        return -{{ position }};
{% endfor %}
    if (batch_count == 0{{ " || " ~ nothing if nothing and not info }})
        return 0;
{% if nothing and info %}
    if ({{ nothing }}) {
{% include "frame/zero_info.c" %}
        return 0;
    }
{% endif %}
{% endmacro %}
{% if units and scratch.bytes %}
/* One problem that nobody shares; apart, as its scratch is not to lie beside that of the others. */
static BB_NOINLINE void bb_alone(const bb_args *g)
{
    bb_range({% for name in scalars %}g->{{ name }}_is, {% endfor %}g, 0, 1);
}

{% endif %}
{% if units %}
/* A batch, what threads may share, or what is wrong; apart, as what is short needs none of its stack. */
static BB_NOINLINE int bb_several({{ parameters }})
{
    (void)num_threads;
{{ checked() -}}
{{ done_by_all() -}}
}

{% endif %}
{% if scratch.heap or inner %}
/* `given`: the scratch, where a caller has it, which must then be on one thread. */
{{ "static " if not inner }}int bb_call({{ parameters }}, char *given)
{% else %}
int {{ symbol }}({{ parameters }})
{% endif %}
{
{% if inner %}
    (void)num_threads{{ ", (void)given" if not scratch.heap }};
{% endif %}
{% if alone %}
    /* Of what is not empty compilers see that some checks are nothing; what it calls ends the call. */
    if (batch_count == 1 && {{ alone }} > 0 && {{ units }} == 1
{%- for bad, position in checks if not inner %}
 &&
        !({{ bad }})
{%- endfor %}
) {
        const bb_args g = { {{ initializers }}, NULL };
        return bb_one(&g);
    }
{% endif %}
{% if units %}
    /* Nobody shares it: what is short is done without more. Of one problem some checks are nothing. */
    if (batch_count == 1 && {{ "(num_threads == 1 || " if sections }}{{ units }} == 1{{ ")" if sections }}
{{- " && !(" ~ nothing ~ ")" if nothing }}
{%- for bad, position in checks if not inner %}
 &&
        !({{ bad }})
{%- endfor %}
) {
        const bb_args g = { {{ initializers }}{{ ", NULL" if apart_sums }} };
{% if scratch.bytes %}
        bb_alone(&g);
{% else %}
        bb_range({% for name in scalars %}g.{{ name }}_is, {% endfor %}&g, 0, 1);
{% endif %}
        return 0;
    }
    return bb_several({{ positions | join(", ") }});
{% else %}
{{ checked() -}}
{{ done_by_all() -}}
{% endif %}
}
{% if scratch.heap and not inner %}

{% set called, bytes = "bb_call", scratch.size %}
{% include "frame/entry_points.c" %}
{% endif %}
