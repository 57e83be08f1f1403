{# A block of columns, or those of some passes, times elements of X: sums of rows in registers, those of a pass added
   pairwise. #}
{% macro strip(name, tiles, passes) %}
{% for V in tiles %}
/* Adds the products of {{ name }}, `cs` reals apart, and of x to sums of {{ (V | length) * width }} reals. */
static BB_INLINE void bb_tile{{ V | length }}_{{ name }}(const bb_real *a, const int64_t cs, const bb_real *x,
                                          bb_real *const found{{ ", bb_real *const other" if complex }})
{
{{ products(V, false, passes) }}
}

{% endfor %}
/* The same of all rows; the last vector overlaps others, and its sums lie behind theirs. */
static BB_INLINE void bb_strip_{{ name }}(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t reals,
                               bb_real *const found{{ ", bb_real *const other" if complex }})
{
    int64_t i = 0;
{% for V in tiles %}
    for (; i + {{ (V | length) * width }} <= reals; i += {{ (V | length) * width }})
        bb_tile{{ V | length }}_{{ name }}(a + i, cs, x, found + i{{ ", other + i" if complex }});
{% endfor %}
    if (i < reals)
        bb_tile1_{{ name }}(a + reals - {{ width }}, cs, x, found + i{{ ", other + i" if complex }});
}

{% endmacro %}
{% macro products(V, some, passes) %}
    int64_t step = cs;
    BB_UNKNOWN(step); /* or a loop around it keeps the places of all columns, for which there are no registers */
{% for sum, array in stream.results %}
{% for v in V %}
    bb_vec {{ sum }}_{{ v }} = *(const bb_vec *)({{ array }} + {{ v * width }});
{% endfor %}
{% endfor %}
{% for tree in passes %}
{% for column, added in tree %}
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
{% for sum, _ in stream.results %}
{% for v in V %}
    {{ sum }}{{ low }}_{{ v }} += {{ sum }}{{ high }}_{{ v }};
{% endfor %}
{% endfor %}
{% endfor %}
{% endfor %}
{% for sum, _ in stream.results %}
{% for v in V %}
    {{ sum }}_{{ v }} += {{ sum }}{{ tree[0][0] }}_{{ v }};
{% endfor %}
{% endfor %}
{% endfor %}
{% for sum, array in stream.results %}
{% for v in V %}
    *(bb_vec *)({{ array }} + {{ v * width }}) = {{ sum }}_{{ v }};
{% endfor %}
{% endfor %}
{% endmacro %}
