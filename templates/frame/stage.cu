{# Operands to shared memory ("bring") or back ("return"), of a triangle what is its own. A team moves matrices by
   themselves, its lanes consecutive numbers. Without a team consecutive threads of the block take consecutive numbers
   of one matrix after the other; of interleaved matrices one number of consecutive matrices. #}
{% macro number(x, verb, to, own) %}
{% if x.bounded or x.by_element %}
        const int row = {{ x.row_of }}, col = {{ x.col_of }};
{% endif %}
{% if x.bounded %}
        if (row {{ "<" if x.bounded == "L" else ">" }} col)
{% if verb == "bring" and not x.wanted %}
            {{ to }}[{{ x.place }}] = 0;
        else
{% else %}
            continue;
{% endif %}
{% endif %}
{% if verb == "bring" %}
        bb_bring({{ to }} + {{ x.place }}, {{ own }} + {{ x.number }});
{% else %}
        {{ own }}[{{ x.number }}] = {{ to }}[{{ x.place }}];
{% endif %}
{% endmacro %}
{% macro by_team(x, verb) %}
        for (int begin = 0; begin < {{ x.numbers }}; begin += {{ schedule.lanes }}) {
            const int r = begin + lane;
{% if x.numbers % schedule.lanes %}
            if (r >= {{ x.numbers }})
                break;
{% endif %}
{{ number(x, verb, "s" ~ x.lands, "own_" ~ x.name) }}
        }
{% endmacro %}
{% macro by_block(x, verb) %}
{% set blocked = x.storage.interleaved %}
{% set most = schedule.matrices if blocked else "count" %}
    for (int i = (int)threadIdx.x; i < {{ most }} * {{ x.numbers }}; i += {{ schedule.threads }}) {
{% if blocked %}
        const int matrix = i % {{ schedule.matrices }}, r = i / {{ schedule.matrices }};
        if (matrix >= count)
            break;
{% else %}
        const int matrix = i / {{ x.numbers }}, r = i % {{ x.numbers }};
{% endif %}
        const int64_t p = first + matrix;
        {{ x.const }}{{ x.ctype }} *const own = {{ x.matrix("p") }};
        {{ x.ctype }} *const to = {{ x.own("matrix") }};
{{ number(x, verb, "to", "own") }}
    }
{% endmacro %}
{% macro bring(operands, by) %}
{% for x in operands if x.reads %}
{% if x.reads_when == "1" %}
{{ by(x, "bring") }}
{%- else %}
    if ({{ x.reads_when }}) {
{{ by(x, "bring") }}
    }
{% endif %}
{% endfor %}
    BB_ARRIVED();
{% endmacro %}
{% macro give_back(operands, by) %}
{% for x in operands if x.writes %}
{{ by(x, "return") }}
{%- endfor %}
{% endmacro %}
