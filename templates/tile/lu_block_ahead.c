{# With a step of a block some rows of the matrices to come, in the order in which they lie: all at once would be more
   than a core can wait for. #}
{% set by = body.blocks %}
{% set source = body.sources.A %}
{% macro prefetched(cols, step, where="") %}
{% if source.ahead %}
                if ({{ source.ahead }}{{ where }})
                    for (int64_t i = {{ by.coming(cols, step) }}; i < {{ by.coming(cols, step ~ " + 1") }}; i++) {
                        const bb_real *const first = {{ source.name }}[i / {{ by.order }}] + {{ source.ahead }};
                        const bb_real *const row = first + i % {{ by.order }} * {{ source.rows }};
{% for at in range(0, by.order, 64 // storage.bytes) %}
                        BB_PREFETCH(row + {{ at }}, 0);
{% endfor %}
                    }
{% endif %}
{% endmacro %}
