{# Several vectors of matrices, each in a part of scratch of its own. #}
{% from "frame/vector.c" import bring, constants, locate, unpack with context %}
{# Whether lines of matrices to come are prefetched as a vector is moved. #}
{% macro fetches(verb) %}
{{- 1 if coming | selectattr("coming", "eq", "pack" if verb == "bring" else "unpack") | list -}}
{% endmacro %}
{# The parts of scratch, where is reported what is returned, and how far matrices to come are, as parameters, or as
   arguments for a `vector`. #}
{% macro own(verb) %}
{% for x in operands if x.has_lanes %}, {{ x.ctype }} *s{{ x.name }}{% endfor %}
{{ ", bb_ints *info" if info and verb == "return" }}{{ ", const int far, const int64_t coming" if fetches(verb) }}
{%- endmacro %}
{% macro parts(verb) %}
{% for x in operands if x.has_lanes %}, s{{ x.name }} + vector * {{ x.scratch }}{% endfor %}
{{ ", info + vector" if info and verb == "return" }}{{ ", far, coming" if fetches(verb) }}
{%- endmacro %}
{# Each is brought there, or returned. #}
{% macro in_turn(verb) %}
        for (int vector = 0; vector < vectors; vector++) {
            const int64_t first = p + vector * {{ width }};
            const int count = hi - first < {{ width }} ? (int)(hi - first) : {{ width }};
{% if fetches(verb) %}
            const int64_t coming = first + {{ schedule.prefetch + width }} <= hi ? {{ schedule.prefetch }} : 0;
{% endif %}
            bb_{{ verb }}(g, first, count{{ parts(verb) }});
        }
{% endmacro %}
{% macro function(verb) %}
static BB_INLINE void bb_{{ verb }}(const bb_args *g, const int64_t p, const int count{{ own(verb) }})
{
{{ constants() }}
{{ locate() }}
{{ bring() if verb == "bring" else unpack() }}
}
{% endmacro %}
{% macro functions() %}
{{ function("bring") }}

{{ function("return") }}
{% endmacro %}
