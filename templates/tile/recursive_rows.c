{# Tiles of {{ schedule.cols }} rows of a panel and a triangle. #}
{% set S, R, V, W = schedule.pitch, schedule.cols, width, schedule.span %}
{% macro times(y, sign, t, x) %}
{% if complex %}
{{ y }}re {{ sign }}= {{ t }}[0] * {{ x }}re;
{{ y }}re {{ "+" if sign == "-" else "-" }}= {{ t }}[{{ R }}] * {{ x }}im;
{{ y }}im {{ sign }}= {{ t }}[0] * {{ x }}im;
{{ y }}im {{ sign }}= {{ t }}[{{ R }}] * {{ x }}re;
{% else %}
{{ y }}re {{ sign }}= {{ t }}[0] * {{ x }}re;
{% endif %}
{% endmacro %}
{% macro load(x, v, row) %}
{{ x }}re = *(const bb_vec *)({{ row }} + {{ v * V }});
{% if complex %}
{{ x }}im = *(const bb_vec *)({{ row }} + {{ W + v * V }});
{% endif %}
{% endmacro %}
{% macro store(x, v, row) %}
*(bb_vec *)({{ row }} + {{ v * V }}) = {{ x }}re;
{% if complex %}
*(bb_vec *)({{ row }} + {{ W + v * V }}) = {{ x }}im;
{% endif %}
{% endmacro %}
{% macro names(letter, count) %}
{% for v in range(count) %}
bb_vec {{ letter }}{{ v }}re{{ ", " ~ letter ~ v ~ "im" if complex }};
{% endfor %}
{% endmacro %}
{% for vectors in [1, schedule.rows] | unique %}
{% for name, sign in (("solve", "-"), ("multiply", "+")) %}
{% set solves = name == "solve" %}
/* {{ vectors }} vector(s) of columns. */
static BB_NOINLINE void bb_{{ name }}_{{ vectors }}(const int64_t n, const bb_real *T, bb_real *X)
{
    for (int64_t done = 0; done < n; done += {{ R }}) {
        const int64_t i = {{ "done" if solves else "(n - 1) / " ~ R ~ " * " ~ R ~ " - done" }};
        const bb_real *t = T + i * {{ S * parts }}, *x = X;
        bb_real *y = X + i * {{ W * parts }};
{% for r in range(R) %}
        {{ names("y" ~ r ~ "_", vectors) }}
{% for v in range(vectors) %}
{% if solves %}
        {{ load("y" ~ r ~ "_" ~ v, v, "y + " ~ r * W * parts) }}
{% else %}
        y{{ r }}_{{ v }}re = {{ "y" ~ r ~ "_" ~ v ~ "im = " if complex }}BB_ZEROS;
{% endif %}
{% endfor %}
{% endfor %}
        {{ names("x", vectors) }}
        for (int64_t l = 0; l < i; l++, t += {{ R * parts }}, x += {{ W * parts }}) {
{% for v in range(vectors) %}
            {{ load("x" ~ v, v, "x") }}
{% endfor %}
{% for r in range(R) %}
{% for v in range(vectors) %}
            {{ times("y" ~ r ~ "_" ~ v, sign, "(t + " ~ r ~ ")", "x" ~ v) }}
{% endfor %}
{% endfor %}
        }
{% for q in range(R) %}
{% for v in range(vectors) %}
{% if solves %}
        x{{ v }}re = y{{ q }}_{{ v }}re * t[{{ q * R * parts + q }}];
{% if complex %}
        x{{ v }}im = y{{ q }}_{{ v }}im * t[{{ q * R * parts + q }}];
        x{{ v }}re -= y{{ q }}_{{ v }}im * t[{{ q * R * parts + q + R }}];
        x{{ v }}im += y{{ q }}_{{ v }}re * t[{{ q * R * parts + q + R }}];
{% endif %}
        {{ store("x" ~ v, v, "y + " ~ q * W * parts) }}
{% else %}
        {{ load("x" ~ v, v, "y + " ~ q * W * parts) }}
{% endif %}
{% for r in range(q + 1 if solves else q, R) %}
        {{ times("y" ~ r ~ "_" ~ v, sign, "(t + " ~ (q * R * parts + r) ~ ")", "x" ~ v) }}
{% endfor %}
{% endfor %}
{% endfor %}
{% if not solves %}
{% for r in range(R) %}
{% for v in range(vectors) %}
        {{ store("y" ~ r ~ "_" ~ v, v, "y + " ~ r * W * parts) }}
{% endfor %}
{% endfor %}
{% endif %}
    }
}

{% endfor %}
{% endfor %}
