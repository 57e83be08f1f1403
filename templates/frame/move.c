{# One operand of a vector of matrices to scratch ("pack") or back ("unpack"), through the pointers q. #}
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
bb_{{ verb }}{{ chunk.width }}({{ "(const bb_real *const *)" if verb == "pack" and x.writes }}q{{ x.name }}, {{ x.column }}e,
s{{ x.lands }} + (c * {{ x.column_reals }} + e) * {{ width }}{{ tail }});
{%- endmacro %}
{% macro move(x, verb, tail) %}
{% if x.kind == "index" %}
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
            for (int64_t c = 0; c < {{ x.columns }}; c++) {
                const int64_t run = {{ x.column_reals }};
                int64_t e = 0;
{% for chunk in x.chunks %}
                {{ "for (; e + %d <= run; e += %d)" | format(chunk.width, chunk.width) if loop.first else "if (run & %d) {" % chunk.width }}
                    {{ moved(x, verb, chunk, tail) }}
{% if not loop.first %}
                    e += {{ chunk.width }};
                }
{% elif chunk.width > 1 %}
                if (e < run && run > {{ chunk.width }}) { /* the last one overlaps its predecessor */
                    e = run - {{ chunk.width }};
                    {{ moved(x, verb, chunk, tail) }}
                    continue;
                }
{% endif %}
{% endfor %}
            }
{% else %}
            for (int64_t c = 0; c < {{ x.columns }}; c++) {
{% for chunk in x.chunks %}
{% if chunk.starts | length > 1 %}
                    BB_UNROLL(1)
{% endif %}
{% if chunk.gapless %}
                    for (int64_t e = {{ chunk.starts[0] }}; e < {{ chunk.starts[-1] + chunk.width }}; e += {{ chunk.width }})
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
