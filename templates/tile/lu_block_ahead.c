{# With a step of a block some rows of the matrices to come, in the order in which they lie: all at once would be more
   than a core can wait for. Which row is next is counted: to divide the number of a step takes longer than a row. #}
{% set by = body.blocks %}
{% set source = body.sources.A %}
{% macro none_prefetched() %}
{% if source.ahead %}
    const bb_real *const *coming = {{ source.name }};
    int64_t coming_row = 0;
{% endif %}
{% endmacro %}
{% macro prefetched(where="") %}
{% if source.ahead %}
                if ({{ source.ahead }}{{ where }})
                    for (int asked = 0; asked < {{ by.asked }} && coming < {{ source.name }} + {{ width }}; asked++) {
                        const bb_real *const row = *coming + {{ source.ahead }} + coming_row * {{ source.rows }};
{% for at in range(0, by.order, 64 // storage.bytes) %}
                        BB_PREFETCH(row + {{ at }}, 0);
{% endfor %}
                        if (++coming_row == {{ by.order }}) {
                            coming_row = 0;
                            coming++;
                        }
                    }
{% endif %}
{% endmacro %}
