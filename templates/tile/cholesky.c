{# A = L L* of a vector of matrices: columns of tiles from the left, each first reduced by those before it. A pivot that
   is not positive is counted out, and what follows from it stays in its lane. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/triangle_loops.c" import columns with context %}
{# A block `c` in registers is factored. The inverses of its pivots go to D where they are wanted. #}
{% macro pivots(c, size, j=0, inverses=none) %}
{% for p in range(size) %}
            BB_PIVOT({{ c }}{{ p }}_{{ p }}, inverse{{ p }}, good, rough, excess);
{% if inverses %}
            BB_STORE(D + {{ inverses.at((j, p), 0) }}, inverse{{ p }});
{% endif %}
{% if p + 1 < size %}
            BB_SQUARE(square, {{ c }}{{ p }}_{{ p + 1 }}, rough);
            BB_NEXT({{ c }}{{ p + 1 }}_{{ p + 1 }}, square, excess);
{% endif %}
{% for r in range(p + 1, size) %}
            BB_TIMES_REAL({{ c }}{{ p }}_{{ r }}, inverse{{ p }});
{% endfor %}
{% for q in range(p + 1, size) %}
{% for r in range(q, size) if r > p + 1 %}
            BB_FMS({{ c }}{{ q }}_{{ r }}, {{ c }}{{ p }}_{{ r }}, {{ c }}{{ p }}_{{ q }}, 0, 1);
{% endfor %}
{% endfor %}
{% endfor %}
{% endmacro %}
{# The last step of each pivot's sum is BB_NEXT, across tiles too: then `square` is of the element beside the tile, and
   `kept` the sum before that step. Where A is a block of a larger matrix the inverses of pivots go to
   D, and `square` is `carried` to it from the block before. #}
{% macro factor(x, A, n, step, ahead, carried=false, inverses=none) %}
{% set B = A.transposed().conjugated() %}
{% set edges = carried or inverses or step is before(n) %}
{% macro diagonal(j, size) %}
{% set reduced = edges and 0 is before(j) %}
        bb_vec {{ t.names("inverse", size) }}{{ ", rough" if edges and not inverses }};
        {
{{ t.load(x, A, size, size, j, j, true) }}
{% if reduced %}
            bb_elem kept = c0_0;
{% endif %}
{{ t.products("FMS", x, A, x, B, size, size, j, j, 0, j, lower=true, same=true, kept="kept" if reduced else "") }}
{% if not edges %}
            bb_vec rough, excess{{ ", square" if size > 1 }};
{% elif reduced %}
            if ({{ j | index }} > 0) {
                c0_0 = kept;
{% if not carried %}
                BB_NEXT(c0_0, square, excess);
{% endif %}
            }
{% endif %}
{% if carried %}
            BB_NEXT(c0_0, square, excess);
{% endif %}
{{ pivots("c", size, j, inverses) }}
{{ t.prefetch(ahead) }}
{{ t.store(x, A, size, size, j, j, true) }}
        }
{% endmacro %}
{% macro below(i, j, rows, size) %}
{{ t.load(x, A, rows, size, i, j) }}
{{ t.products("FMS", x, A, x, B, rows, size, i, j, 0, j) }}
{% for p in range(size) %}
{% if p + 1 == size %}
            if ({{ i | index }} == {{ (j, size) | index }})
                BB_SQUARE(square, c{{ p }}_0, rough);
{% endif %}
{% for r in range(rows) %}
            BB_TIMES_REAL(c{{ p }}_{{ r }}, inverse{{ p }});
{% endfor %}
{% for q in range(p + 1, size) %}
            {
                bb_elem a;
                BB_GET(a, {{ x }} + {{ A.at((j, q), (j, p)) }}, {{ A.im }});
{% for r in range(rows) %}
                BB_FMS(c{{ q }}_{{ r }}, c{{ p }}_{{ r }}, a, 0, 1);
{% endfor %}
            }
{% endfor %}
{% endfor %}
{{ t.prefetch(ahead) }}
{{ t.store(x, A, rows, size, i, j) }}
{% endmacro %}
{{ columns(n, n, step, diagonal, below) }}
{% endmacro %}
