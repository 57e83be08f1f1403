{# One operand of a vector of matrices to scratch ("pack") or back ("unpack"), through the pointers q. #}
{% from "frame/back.c" import number, past with context %}
{% macro lanes(verb) %}
for (int lane = 0; lane < {{ width if verb == "pack" or not partial else "count" }}; lane++)
{%- endmacro %}
{% macro indices(x, verb) %}
            for (int64_t r = 0; r < {{ x.reals }}; r++)
                {{ lanes(verb) }}
{% if verb == "pack" %}
                    s{{ x.lands }}[r * {{ width }} + lane] = q{{ x.name }}[lane][r];
{% else %}
                    q{{ x.name }}[lane][r] = s{{ x.lands }}[r * {{ width }} + lane];
{% endif %}
{% endmacro %}
{% macro scratch(x) %}
s{{ x.lands }}[((c * {{ x.stored_rows }} + r) * {{ x.parts }} + part) * {{ width }} + lane]
{%- endmacro %}
{% macro memory(x) %}
q{{ x.name }}[lane][(r * rs{{ x.letter }} + c * cs{{ x.letter }}) * {{ x.parts }} + part]
{%- endmacro %}
{% macro moved(x, verb, chunk, tail) %}
{% if x.coming == verb %}
{
    if (far{{ " && !close_" ~ x.name if x.lines }})
        bb_coming({{ x.to_come }} + {{ x.column }}e);
{% endif %}
bb_{{ verb }}{{ chunk.width }}({{ x.pointers if verb == "pack" else "q" ~ x.name }}, {{ x.column }}e,
s{{ x.lands }} + (c * {{ x.column_reals }} + e) * {{ width }}{{ tail }});
{%- if x.coming == verb %}

}
{%- endif %}
{%- endmacro %}
{# A run whose length only run time knows, or of each column what lies between its first and its last element of a
   triangle, in vectors that begin at multiples of their width; of a few vectors the `whole` run. #}
{% macro any_run(x, verb, tail) %}
{% set widest = x.chunks[0] %}
            {
                const int64_t run = {{ x.column_reals }};
{% if x.wanted %}
                const int whole = {{ x.stored_rows }} * {{ x.parts }} < {{ widest.width }} * 2;
                for (int64_t column = 0, e = 0; column < {{ x.runs }}; column++)
{%- else %}
                for (int64_t c = 0; c < {{ x.columns }}; c++)
{%- endif %} {
{% if x.wanted %}
                    const int64_t c = {{ x.column and "column" or 0 }};
                    const int64_t first = whole ? 0 : {{ x.begins }}, last = whole ? run : {{ x.ends }};
                    {{ "if (e < first)" if not x.column }}
                        e = first / {{ widest.width }} * {{ widest.width }};
{% else %}
                    const int64_t last = run;
                    int64_t e = 0;
{% endif %}
                    for (; e < last && e + {{ widest.width }} <= run; e += {{ widest.width }})
                        {{ moved(x, verb, widest, tail) }}
                    if (e >= last)
                        continue;
                    if (run > {{ widest.width }}) { /* the last one overlaps its predecessor */
                        e = run - {{ widest.width }};
                        {{ moved(x, verb, widest, tail) }}
                        e = run;
                        continue;
                    }
{% for chunk in x.chunks[1:] %}
                    if (run & {{ chunk.width }}) {
                        {{ moved(x, verb, chunk, tail) }}
                        e += {{ chunk.width }};
                    }
{% endfor %}
                }
            }
{% endmacro %}
{% macro move(x, verb, tail) %}
{% if x.is_number and verb == "unpack" %}
{{ number(x) }}
{% elif x.kind == "index" %}
{{ indices(x, verb) }}
{% elif x.strides == "rs" %}
            for (int64_t c = 0; c < {{ x.stored_cols }}; c++)
                for (int64_t r = 0; r < {{ x.stored_rows }}; r++)
                    for (int part = 0; part < {{ x.parts }}; part++)
                        {{ lanes(verb) }}
{% if verb == "pack" %}
                            {{ scratch(x) }} = {{ memory(x) }};
{% else %}
                            {{ memory(x) }} = {{ scratch(x) }};
{% endif %}
{% elif x.column_reals is string %}
{{ any_run(x, verb, tail) }}
{% else %}
{% if x.past and verb == "unpack" %}
            if (far > 1) {
{{ past(x, tail) }}
            } else
    {% endif %}
            for (int64_t c = 0; c < {{ x.columns }}; c++) {
{% for chunk in x.chunks %}
{% if chunk.starts | length > 1 %}
                    BB_UNROLL({{ chunk.at_once(straight[verb]) }})
{% endif %}
{% if chunk.gapless %}
                    for (int64_t e = {{ chunk.starts[0] }}; e < {{ chunk.end }}; e += {{ chunk.width }})
                        {{ moved(x, verb, chunk, tail) }}
{% else %}
                    for (int i = 0; i < {{ chunk.starts | length }}; i++) {
                        const int64_t e = bb_at_{{ x.name }}{{ chunk.width }}[i];
                        {{ moved(x, verb, chunk, tail) }}
                    }
{% endif %}
{% endfor %}
                }
{% endif %}
{% endmacro %}
