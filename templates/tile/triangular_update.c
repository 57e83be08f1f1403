{# Direct bodies that write one triangle of C := alpha L R' + beta C, or alpha L R* + beta C: for every row of tiles those
   that are wholly inside, then those that meet the diagonal. #}
{% import "tile/vector_tile.c" as d with context %}
{% import "tile/packed_panel.c" as p with context %}
{% set C, n, row = body.views[-1], body.size.n, d.row %}
{% macro tile(offsets, cols, left, right, R, inside, meets, real) %}
            {{ d.apart }}
{{ d.zero(offsets, cols, meets) }}
{{ d.steps(offsets, cols, left, right, R, "0", "steps", meets, R.conj) }}
{{ d.update(offsets, cols, "C", C, left.conj, R.conj, inside, real) }}
{% endmacro %}
{# Whole tiles; the columns of the last few are no whole tile in an upper triangle that goes on behind this row. #}
{% macro whole(offsets, height, left, right, R) %}
        for (int64_t j = {{ 0 if body.lower else "%s + %d" % (row, height) }}; j < {{ row if body.lower else n - n % schedule.cols }}; j += {{ schedule.cols }}) {
{{ tile(offsets, schedule.cols, left, right, R, triangle.every(), triangle.every(), none) }}
        }
{% if n % schedule.cols and not body.lower %}
        { const int64_t j = {{ n - n % schedule.cols }};
{{ tile(offsets, n % schedule.cols, left, right, R, triangle.every(), triangle.every(), none) }}
        }
{% endif %}
{% endmacro %}
{% macro function(name, L, A, right, R) %}
{% set packed = not A.unit_rows %}
{% set left = {"name": "P" if packed else L, "view": panel if packed else A, "packed": packed, "conj": A.conj} %}
static BB_INLINE void {{ name }}({{ body.parameters }})
{
    const int64_t steps = alpha_is ? {{ body.size.k }} : 0;
{% for across in row_tiles %}
{% set height = (across.offsets[-1] + width) // parts %}
    {{ across.loop.open("i") }}
{% if packed %}
{{ p.declared() }}
{% for off in across.offsets %}
{{ p.pack(L, A, loop.index0, off, "0", "steps") }}
{% endfor %}
{% endif %}
{% if across.loop.repeats > 1 or (across.loop.start if body.lower else not loop.last) %}
{{ whole(across.offsets, height, left, right, R) }}
{% endif %}
{% for first in range(0, height, schedule.cols) %}
        { const int64_t j = {{ row }} + {{ first }};
{{ tile(across.offsets, [schedule.cols, height - first] | min, left, right, R, triangle.output(first), triangle.meets(first), triangle.imaginary(first) if body.hermitian) }}
        }
{% endfor %}
    }
{% endfor %}
}
{% endmacro %}
