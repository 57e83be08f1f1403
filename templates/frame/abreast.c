{# Several vectors of matrices, each in a part of scratch of its own. #}
{% from "frame/vector.c" import bring, constants, locate, unpack with context %}
{# The parts of scratch, and where is reported what is returned, as parameters, or as arguments for a `vector`. #}
{% macro own(verb) %}
{% for x in operands if x.has_lanes %}, {{ x.ctype }} *s{{ x.name }}{% endfor %}
{{ ", bb_ints *info" if info and verb == "return" }}
{%- endmacro %}
{% macro parts(verb) %}
{% for x in operands if x.has_lanes %}, s{{ x.name }} + vector * {{ x.scratch }}{% endfor %}
{{ ", info + vector" if info and verb == "return" }}
{%- endmacro %}
{# Each is brought there, or returned. #}
{% macro in_turn(verb) %}
        for (int vector = 0; vector < vectors; vector++) {
            const int64_t first = p + vector * {{ width }};
            const int count = hi - first < {{ width }} ? (int)(hi - first) : {{ width }};
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
