{# A lower triangle shared by a team. Tile (i, j) has every so-many-th row and column from there on, so each lane has as
   much to do, and neighbours are at neighbouring rows. Below its diagonal a tile is below that of the matrix; on it
   where j is not behind i. Rows beyond the last are the first one again, and not stored. #}
{% set size = body.share.slices.n %}
{% set count = body.share.counts.n %}
{% set n = body.size.n %}
{% macro inside(x, r) %} < {{ n }} ? {{ x }} + {{ r * count }} : {{ x }}{% endmacro %}
{% macro index(x) %}
{% for r in range(size) %}
        const int64_t {{ x }}{{ r }} = {{ x }} + {{ r * count }}{{ inside(x, r) if loop.last and body.share.ragged }};
{% endfor %}
{% endmacro %}
{% macro each_tile() %}
    for (int piece = lane; piece < {{ count * count }}; piece += {{ schedule.lanes }}) {
        const int i = piece % {{ count }}, j = piece / {{ count }};
{{ index("i") }}
{{ index("j") }}
{{ caller() }}
    }
{% endmacro %}
{# The tile += X Y' #}
{% macro products(x, X, y, Y, tile="c") %}
        for (int64_t l = 0; l < steps; l++) {
            bb_elem {% for r in range(size) %}x{{ r }}, y{{ r }}{{ ", " if not loop.last }}{% endfor %};
{% for r in range(size) %}
            BB_GET(x{{ r }}, {{ x }} + {{ X.at("i" ~ r, "l") }}, {{ X.im }});
            BB_GET(y{{ r }}, {{ y }} + {{ Y.at("j" ~ r, "l") }}, {{ Y.im }});
{% endfor %}
{% for c in range(size) %}
{% for r in range(c, size) %}
            BB_FMA({{ tile }}{{ c }}_{{ r }}, x{{ r }}, y{{ c }}, {{ X.conj | int }}, {{ Y.conj | int }});
{% endfor %}
{% endfor %}
        }
{% endmacro %}
{% macro element(C, c, r, real) %}
            if (BB_NONZERO(beta_is, beta))
                BB_ADD_OLD{{ "_REAL" if real }}(c{{ c }}_{{ r }}, C + {{ C.at("i" ~ r, "j" ~ c) }}, {{ C.im }});
            {{ "BB_REAL(c" ~ c ~ "_" ~ r ~ ");" if real }}
{% endmacro %}
{# C := the tile + beta C #}
{% macro update(C) %}
{% for r in range(size) %}
        if ({{ "i" ~ r ~ " != i" if loop.last and body.share.ragged else 1 }}) {
{% for c in range(r + 1) %}
            if ({{ "i >= j" if r == c else 1 }}) {
{% if r == c and body.hermitian %}
                if (i == j) {
{{ element(C, c, r, true) }}
                } else {
{{ element(C, c, r, false) }}
                }
{% else %}
{{ element(C, c, r, false) }}
{% endif %}
                BB_PUT(C + {{ C.at("i" ~ r, "j" ~ c) }}, {{ C.im }}, c{{ c }}_{{ r }});
            }
{% endfor %}
        }
{% endfor %}
{% endmacro %}
