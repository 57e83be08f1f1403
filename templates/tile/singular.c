{# Singular values and vectors of matrices with no fewer rows than columns. What is computed with lies in arrays of
   elements, columns together: `u` of rows x cols has the matrix, and gets the left vectors; `v` of cols x cols gets
   conjugates of the right ones; `s` the values. Lanes of a team have rows or columns of them, an odd number apart. #}
{% from "tile/shared_work.c" import team with context %}
{% set known = body.size.m is number and body.size.n is number %}
{% set vectors = body.views | length > 2 %}
{% set sizes = "" if known else "const int64_t rows, const int64_t cols, " %}
{% set given = "" if known else "rows, cols, " %}
{% set by, to_lane = ("const int lane, ", "lane, ") if team else ("", "") %}
{% set pitch, side = ("pitch", "side") if team else ("rows", "cols") %}
{% set elements, const_elements = body.pointer("bb_elem"), body.pointer("const bb_elem") %}
{% set values, const_values = body.pointer("bb_vec"), body.pointer("const bb_vec") %}
{% set arrays %}{{ elements }}const u, {{ elements ~ "const v, " if vectors }}{{ values }}const s{% endset %}
{% set apart = "BB_NOINLINE" if target.simd else "BB_INLINE" %}
{% macro sides() %}
{% if known %}
    enum { rows = {{ [body.size.m, body.size.n] | max }}, cols = {{ [body.size.m, body.size.n] | min }} };
    {{ "enum { pitch = rows | 1, side = cols | 1 };" if team }}
{% endif %}
{% endmacro %}
