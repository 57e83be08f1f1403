{# Rows that are contiguous, times a block of X: products are lanes, and sums of two rows are joined, pair by pair. #}
{% macro block() %}
{% set U, B, R = stream.line_vectors, stream.block_vectors, stream.rows %}
/* Adds the products of a block of {{ stream.rows | length }} rows, from real i on, and of x to their sums. */
static BB_INLINE void bb_row_block(bb_vec *const sum, const bb_real *const *a, const int64_t i, const bb_real *x)
{
{{ products(false) }}
}

/* The same of so many reals, behind others. */
static BB_INLINE void bb_row_part(bb_vec *const sum, const bb_real *const *a, const int64_t i, const bb_real *x,
                                  const int64_t left)
{
{{ products(true) }}
}

/* The same of what is left behind whole blocks, or of rows that are shorter than one. */
static BB_NOINLINE void bb_rows_end(bb_vec *const sum, const bb_real *const *a, const int64_t i, const bb_real *x,
                                    const int64_t left, const int within)
{
    if (within) {
        bb_row_part(sum, a, i, x + i, left);
        return;
    }
    bb_real part[{{ R | length }}][{{ stream.block_reals }}] BB_ALIGNED, from_x[{{ stream.block_reals }}] BB_ALIGNED;
    const bb_real *const of_part[{{ R | length }}] = { {% for r in R %}part[{{ r }}], {% endfor %}};
    bb_get_block(from_x, x + i, left);
    for (int r = 0; r < {{ R | length }}; r++)
        bb_get_block(part[r], a[r] + i, left);
    bb_row_block(sum, of_part, 0, from_x);
}

/* Adds reals i .. end - 1 of {{ R | length }} rows. */
static BB_INLINE void bb_some(bb_vec *sum, const bb_real *const *a, const bb_real *x, int64_t i, const int64_t end)
{
    for (; i + {{ stream.block_reals }} <= end; i += {{ stream.block_reals }})
        bb_row_block(sum, a, i, x + i);
    if (i < end) { /* by a copy, or sums would be in memory */
        bb_vec own[{{ parts }}] = { sum[0]{{ ", sum[1]" if complex }} };
        bb_rows_end(own, a, i, x, end - i, i > 0);
{% for part in range(parts) %}
        sum[{{ part }}] = own[{{ part }}];
{% endfor %}
    }
}
{% endmacro %}
{% macro products(some) %}
{% set U, B = stream.line_vectors, stream.block_vectors %}
{% for v, u, at in B %}
{{ got("x" ~ v, "x", at, some) }}
{% if complex %}
    const bb_vec y{{ v }} = BB_SWAP{{ width }}(x{{ v }});
{% endif %}
{% endfor %}
{% for r, joined in stream.row_tree %}
{% for u in U %}
    bb_vec s{{ r }}_{{ u }} = BB_ZEROS{{ ", t" ~ r ~ "_" ~ u ~ " = BB_ZEROS" if complex }};
{% endfor %}
{% for v, u, at in B %}
{{ got("a" ~ r ~ "_" ~ v, "a[" ~ r ~ "] + i", at, some) }}
    s{{ r }}_{{ u }} += a{{ r }}_{{ v }} * x{{ v }};
{% if complex %}
    t{{ r }}_{{ u }} += a{{ r }}_{{ v }} * y{{ v }};
{% endif %}
{% endfor %}
{% for sum in ("s", "t")[:parts] %}
{% for low, high in stream.row_added %}
    {{ sum }}{{ r }}_{{ low }} += {{ sum }}{{ r }}_{{ high }};
{% endfor %}
{% for low, high, first, second in joined %}
    {{ sum }}{{ low }}_0 = {{ half(sum, low, high, first) }} + {{ half(sum, low, high, second) }};
{% endfor %}
{% endfor %}
{% endfor %}
{% for sum, _ in stream.results %}
{% set of = loop.index0 %}
{% for v in stream.row_vectors %}
{% for low, high, first, second in stream.turns %}
    const bb_vec {{ sum }}{{ low }}_{{ high }}_{{ v }} = {{ half(sum, low, high, first, v) }};
    {{ sum }}{{ high }}_{{ v }} = {{ half(sum, low, high, second, v) }};
    {{ sum }}{{ low }}_{{ v }} = {{ sum }}{{ low }}_{{ high }}_{{ v }};
{% endfor %}
{% for r in stream.turned %}
    sum[{{ of }}] += {{ sum }}{{ r }}_{{ v }};
{% endfor %}
{% endfor %}
{% endfor %}
{%- endmacro %}
{% macro got(name, from, at, some) -%}
{% if some %}
    bb_vec {{ name }} = BB_ZEROS;
    if (left > {{ at }})
        bb_get(&{{ name }}, {{ from }} + {{ at }}, left - {{ at }}, 1);
{%- else %}
    const bb_vec {{ name }} = *(const bb_mem *)({{ from }} + {{ at }});
{%- endif %}
{%- endmacro %}
{% macro half(sum, low, high, lanes, v=0) -%}
BB_SHUFFLE(bb_mask{{ width }}, {{ sum }}{{ low }}_{{ v }}, {{ sum }}{{ high }}_{{ v }}, {{ lanes }})
{%- endmacro %}
