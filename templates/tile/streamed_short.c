{# Two short vectors by whole cache lines: fewer vectors, the same sums. What is left is done as always. #}
{% macro at(p, place) %}*(const bb_mem{{ schedule.wide }} *)({{ p }} + r + {{ place }}){% endmacro %}
    if (n <= {{ stream.short }}) {
{% for w, _ in stream.whole_lines %}
        bb_vec{{ schedule.wide }} {{ w }} = {0};
{% endfor %}
        for (; r + {{ stream.group_reals }} <= reals; r += {{ stream.group_reals }}) {
{% for w, place in stream.whole_lines %}
            {{ w }} += {{ at("x", place) }} * {{ at("y", place) }};
{% endfor %}
        }
        if (r == reals) {
            bb_vec line[{{ stream.line_vectors | length }}];
            const bb_vec{{ schedule.wide }} all = (w0 + w1) + (w2 + w3);
{% for u in stream.line_vectors %}
            line[{{ u }}] = ((const bb_mem *)&all)[{{ u }}];
{% endfor %}
            bb_ended(line, result);
            return 0;
        }
{% for v, w, part in stream.halves_of_lines %}
        s{{ v }} = ((const bb_mem *)&{{ w }})[{{ part }}];
{% endfor %}
    }
