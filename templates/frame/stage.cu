{# Operands that lie by themselves to shared memory ("bring") or back ("return"): consecutive threads take consecutive
   numbers of one matrix after the other, of a triangle those that are its own. #}
{% macro numbers(x, verb) %}
    for (int i = (int)threadIdx.x; i < count * {{ x.reals }}; i += {{ schedule.threads }}) {
        const int matrix = i / {{ x.reals }}, r = i % {{ x.reals }};
{% if x.wanted or x.number != "r" or "row" in x.place or "col" in x.place %}
        const int row = r {{ "/ 2 " if x.parts == 2 }}% {{ x.stored_rows }}, col = r / {{ x.stored_rows * x.parts }};
{% endif %}
{% if x.wanted %}
        if (row {{ "<" if x.wanted == "L" else ">" }} col)
            continue;
{% endif %}
        const int64_t p = first + matrix;
        {{ x.const }}{{ x.ctype }} *const own = {{ x.matrix("p") }};
{% if verb == "bring" %}
        bb_bring(block_{{ x.lands }} + {{ x.place }}, own + {{ x.number }});
{% else %}
        own[{{ x.number }}] = block_{{ x.name }}[{{ x.place }}];
{% endif %}
    }
{% endmacro %}
{% macro bring() %}
{% for x in operands if x.moved and x.reads and x.reals %}
{% if x.reads_when == "1" %}
{{ numbers(x, "bring") }}
{%- else %}
    if ({{ x.reads_when }}) {
{{ numbers(x, "bring") }}
    }
{% endif %}
{% endfor %}
    BB_ARRIVED();
    __syncthreads();
{% endmacro %}
{% macro give_back() %}
    __syncthreads();
{% for x in operands if x.moved and x.writes and x.reals %}
{{ numbers(x, "return") }}
{%- endfor %}
{% endmacro %}
