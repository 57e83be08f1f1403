{# The only real of each matrix, back: where these follow one another they are a vector. As such on its way to lanes it
   would be kept in a register. #}
{% macro number(x) %}
            {
                bb_real *const first = {{ x.matrix("p") }};
                if (g->stride_{{ x.letter }} == 1 && count == {{ width }})
                    *(bb_mem *)first = *(const bb_mem *)s{{ x.name }};
                else
                    for (int lane = 0; lane < count; lane++)
                        first[lane * g->stride_{{ x.letter }}] = s{{ x.name }}[lane];
            }
{% endmacro %}
{# Whole cache lines past the caches. What its neighbours have of a line, too, goes there in pairs. #}
{% macro past(x, tail) %}
{% macro part(first, last, verb, step) %}
                BB_UNROLL(1)
                for (int64_t e = {{ first }}; e < {{ last }}; e += {{ step }})
                    bb_{{ verb }}{{ step }}(q{{ x.name }}, e, s{{ x.lands }} + e * {{ width }}{{ tail }});
{% endmacro %}
                const int64_t begin = (int64_t)(-(uintptr_t)q{{ x.name }}[0] % 64 / sizeof(bb_real));
                const int64_t end = {{ x.reals }} - ({{ x.reals }} - begin) % {{ x.past }};
{{ part(0, "begin", "unpack", 2) }}
{{ part("begin", "end", "past", width) }}
{{ part("end", x.reals, "unpack", 2) }}
{% endmacro %}
