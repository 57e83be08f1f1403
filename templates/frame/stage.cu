{# Operands to shared memory ("bring") or back ("return"), of a triangle what is its own. A team moves matrices by
   themselves, its lanes consecutive numbers. Without a team consecutive threads of the block take consecutive numbers
   of one matrix after the other; of interleaved matrices one number of consecutive matrices. #}
{% macro number(x, verb, to, own) %}
{% if x.beyond %}
        if ({{ x.beyond }})
{% if verb == "bring" and x.storage.triangle and not x.wanted %}
            {{ to }}[{{ x.place }}] = 0;
        else
{% else %}
            continue;
{% endif %}
{% endif %}
{% if verb == "bring" %}
        bb_bring(place_{{ x.name }}, {{ x.place }}, {{ own }} + {{ x.number }});
{% else %}
        {{ own }}[{{ x.number }}] = {{ to }}[{{ x.place }}];
{% endif %}
{% endmacro %}
{# A lane's own of so many numbers. #}
{% macro each(numbers) %}
        for (int begin = 0; begin < {{ numbers }}; begin += {{ schedule.lanes }}) {
            const int i = begin + lane;
{% if numbers % schedule.lanes %}
            if (i >= {{ numbers }})
                continue;
{% endif %}
{{ caller() }}
        }
{% endmacro %}
{# A matrix goes column by column where it is not the same everywhere: its rows cost no division then; row by row where
   elements of a row turn out to be nearer. Compilers that are not made to forget an address make it anew for each
   number. #}
{% macro by_team(x, verb) %}
        BB_ANEW_FROM(own_{{ x.name }});
{% if verb == "bring" %}
        BB_PLACE(place_{{ x.name }}, s{{ x.lands }});
{% endif %}
{% if x.by_rows_first %}
        {
            const bool turned = {{ x.by_rows_first }};
            const int lines = turned ? {{ x.stored_rows }} : {{ x.stored_cols }};
            const int numbers = turned ? {{ x.row_numbers }} : {{ x.column_numbers }};
            BB_UNROLL(4)
            for (int line = 0; line < lines; line++)
                for (int r = lane; r < numbers; r += {{ schedule.lanes }}) {
                    const int along = r{{ " / 2" if x.parts == 2 }};
                    const int row = turned ? line : along, col = turned ? along : line;
{{ number(x, verb, "s" ~ x.lands, "own_" ~ x.name) }}
                }
        }
{% elif x.beyond or x.by_element %}
        BB_UNROLL(4)
        for (int col = 0; col < {{ x.stored_cols }}; col++)
{% call each(x.column_numbers) %}
            [[maybe_unused]] const int r = col * {{ x.column_numbers }} + i, row = i{{ " / 2" if x.parts == 2 }};
{{ number(x, verb, "s" ~ x.lands, "own_" ~ x.name) }}
{% endcall %}
{% else %}
{% call each(x.numbers) %}
            const int r = i;
{{ number(x, verb, "s" ~ x.lands, "own_" ~ x.name) }}
{% endcall %}
{% endif %}
{% endmacro %}
{# Of a diagonal alone there are as many numbers as in a column. #}
{% macro by_block(x, verb) %}
{% set blocked = x.storage.interleaved %}
{% set numbers = x.column_numbers if x.diagonal else x.numbers %}
{% set most = schedule.matrices if blocked else "count" %}
    for (int i = (int)threadIdx.x; i < {{ most }} * {{ numbers }}; i += {{ schedule.threads }}) {
{% if blocked %}
        const int matrix = i % {{ schedule.matrices }}, r = i / {{ schedule.matrices }};
        if (matrix >= count)
            break;
{% else %}
        const int matrix = i / {{ numbers }}, r = i % {{ numbers }};
{% endif %}
        const int64_t p = first + matrix;
        {{ x.const }}{{ x.ctype }} *const own = {{ x.matrix("p") }};
        {{ x.ctype }} *const to = {{ x.own("matrix") }};
{% if verb == "bring" %}
        BB_PLACE(place_{{ x.name }}, to);
{% endif %}
{% if x.diagonal %}
        const int row = {{ x.row_of }}, col = row;
{% elif x.beyond or x.by_element %}
        const int row = {{ x.row_of }}, col = {{ x.col_of }};
{% endif %}
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
