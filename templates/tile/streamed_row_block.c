{# Rows that are contiguous, times a block of X: products are lanes, and sums of two rows are joined, pair by pair. #}
{% macro block() %}
{% set U, B = stream.line_vectors, stream.block_vectors %}
/* Adds the products of a block of {{ stream.rows | length }} rows, from real i on, and of x to their sums. */
static BB_INLINE void bb_row_block(bb_vec *const sum, const bb_real *const *a, const int64_t i, const bb_real *x)
{
{% for v, u, at in B %}
    const bb_vec x{{ v }} = *(const bb_mem *)(x + {{ at }});
{% if complex %}
    const bb_vec y{{ v }} = BB_SWAP{{ width }}(x{{ v }});
{% endif %}
{% endfor %}
{% for r, joined in stream.row_tree %}
{% for u in U %}
    bb_vec s{{ r }}_{{ u }} = BB_ZEROS{{ ", t" ~ r ~ "_" ~ u ~ " = BB_ZEROS" if complex }};
{% endfor %}
{% for v, u, at in B %}
    const bb_vec a{{ r }}_{{ v }} = *(const bb_mem *)(a[{{ r }}] + i + {{ at }});
    s{{ r }}_{{ u }} += a{{ r }}_{{ v }} * x{{ v }};
{% if complex %}
    t{{ r }}_{{ u }} += a{{ r }}_{{ v }} * y{{ v }};
{% endif %}
{% endfor %}
{% for sum in ("s", "t")[:parts] %}
{% for low, high in stream.added %}
    {{ sum }}{{ r }}_{{ low }} += {{ sum }}{{ r }}_{{ high }};
{% endfor %}
{% for low, high, first, second in joined %}
    {{ sum }}{{ low }}_0 = {{ half(sum, low, high, first) }} + {{ half(sum, low, high, second) }};
{% endfor %}
{% endfor %}
{% endfor %}
    sum[0] += s0_0;
{% if complex %}
    sum[1] += t0_0;
{% endif %}
}
{% endmacro %}
{% macro half(sum, low, high, lanes) -%}
BB_SHUFFLE(bb_mask{{ width }}, {{ sum }}{{ low }}_0, {{ sum }}{{ high }}_0, {{ lanes }})
{%- endmacro %}
