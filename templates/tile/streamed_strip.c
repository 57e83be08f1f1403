{# A block of columns, or those of a pass, times elements of X: sums of rows in registers, added pairwise. #}
{% macro strip(name, of, given="", keeps="") %}
{% for V in stream.tiles %}
/* Adds the products of a block of columns, `cs` reals apart, and of x to sums of {{ (V | length) * width }} reals. */
static BB_INLINE void bb_tile{{ V | length }}{{ name }}(const bb_real *a, const int64_t cs, const bb_real *x,
                                           {{ given }}bb_real *const found{{ ", bb_real *const other" if complex }})
{
{{ products(V, false, of) }}
}

{% endfor %}
/* The same of all rows; the last vector overlaps others, and its sums lie behind theirs. */
static BB_INLINE void bb_strip{{ name }}(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t reals,
                               {{ given }}bb_real *const found{{ ", bb_real *const other" if complex }})
{
    int64_t i = 0;
{% for V in stream.tiles %}
    for (; i + {{ (V | length) * width }} <= reals; i += {{ (V | length) * width }})
        bb_tile{{ V | length }}{{ name }}(a + i, cs, x, {{ keeps }}found + i{{ ", other + i" if complex }});
{% endfor %}
    if (i < reals)
        bb_tile1{{ name }}(a + reals - {{ width }}, cs, x, {{ keeps }}found + i{{ ", other + i" if complex }});
}

{% endmacro %}
{% macro products(V, some, of) %}
    int64_t step = cs;
    BB_UNKNOWN(step); /* or a loop around it keeps the places of all columns, for which there are no registers */
{% for column, added in of.tree %}
{% for v in V %}
    bb_vec s{{ column }}_{{ v }} = BB_ZEROS{{ ", t" ~ column ~ "_" ~ v ~ " = BB_ZEROS" if complex }};
{% endfor %}
{% for place, at in stream.of_sum(column) %}
{{ "    if (columns > " ~ place ~ ") {" if some }}
    const bb_real *const a{{ place }} = a + {{ place }} * step;
{% for v in V %}
    const bb_vec a{{ place }}_{{ v }} = *(const bb_mem *)(a{{ place }} + {{ v * width }});
    s{{ column }}_{{ v }} += a{{ place }}_{{ v }} * x[{{ at }}];
{% if complex %}
    t{{ column }}_{{ v }} += a{{ place }}_{{ v }} * x[{{ at + 1 }}];
{% endif %}
{% endfor %}
{{ "    }" if some }}
{% endfor %}
{% for low, high in added %}
{% for v in V %}
    s{{ low }}_{{ v }} += s{{ high }}_{{ v }};
{% if complex %}
    t{{ low }}_{{ v }} += t{{ high }}_{{ v }};
{% endif %}
{% endfor %}
{% endfor %}
{% endfor %}
{% for sum, array, first in stream.results %}
{% if of.kept >= 0 %}
    (void){{ array }};
{% endif %}
{% for v in V %}
{% for level in of.merged %}
    {{ sum }}{{ of.first }}_{{ v }} += *(const bb_vec *)(kept + {{ first + level }} * apart + {{ v * width }});
{% endfor %}
{% if of.kept < 0 %}
    *(bb_vec *)({{ array }} + {{ v * width }}) += {{ sum }}{{ of.first }}_{{ v }};
{% else %}
    *(bb_vec *)(kept + {{ first + of.kept }} * apart + {{ v * width }}) = {{ sum }}{{ of.first }}_{{ v }};
{% endif %}
{% endfor %}
{% endfor %}
{% endmacro %}
