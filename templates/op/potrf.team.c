{# A = L L* by a team: panels of columns from the left, of which each lane has its rows. Their block on the diagonal all
   lanes factor, so that nobody waits for its pivots. A pivot that is not positive is reported, and what follows from it
   stays in the matrix. #}
{% from "tile/register_tile.c" import names with context %}
{% from "tile/cholesky.c" import pivots with context %}
{% from "tile/team.c" import block, own, panels, unrolled with context %}
{% set A = body.views[0] %}
{% set B = A.transposed().conjugated() %}
{% set n, lanes = body.size.n, schedule.lanes %}
{% set slots = (n + lanes - 1) // lanes %}
{# `first` is the slot of the panel: rows of later ones are below it. #}
{% macro panel(j, size, first) %}
{% set reduced = 0 is before(j) %}
{% for p in range(first, slots) %}
{% set end = "own" ~ p ~ " < " ~ n if (p + 1) * lanes > n else "" %}
            bb_elem {{ names("c" ~ p ~ "_", size) }};
{% for c in range(size) %}
            BB_ZERO(c{{ p }}_{{ c }});
{% with conditions = (["own" ~ p ~ " >= " ~ (j, c) | index] if p == first else []) + ([end] if end else []) %}
            {{ "if (" ~ conditions | join(" && ") ~ ")" if conditions }}
                BB_GET(c{{ p }}_{{ c }}, A + {{ A.at("own" ~ p, (j, c)) }}, {{ A.im }});
{% endwith %}
{% endfor %}
{% endfor %}
{% if reduced %}
{# Lanes whose row is above or does not exist go along with another one's. #}
{% for p in range(first, slots) %}
            int row{{ p }} = own{{ p }};
{% if p == first %}
            row{{ p }} = row{{ p }} < {{ j | index }} ? {{ j | index }} : row{{ p }};
{% endif %}
{% if (p + 1) * lanes > n %}
            row{{ p }} = row{{ p }} < {{ n }} ? row{{ p }} : {{ n - 1 }};
{% endif %}
{% endfor %}
            bb_elem kept = c{{ first }}_0;
            {{ unrolled(slots - first) }}
            for (int l = 0; l < {{ j | index }}; l++) {
                bb_elem {{ names("b", size) }};
{% for c in range(size) %}
                BB_GET(b{{ c }}, A + {{ B.at("l", (j, c)) }}, {{ B.im }});
{% endfor %}
                kept = c{{ first }}_0;
{% for p in range(first, slots) %}
                bb_elem a{{ p }};
                BB_GET(a{{ p }}, A + {{ A.at("row" ~ p, "l") }}, {{ A.im }});
{% for c in range(size) %}
                BB_FMS(c{{ p }}_{{ c }}, a{{ p }}, b{{ c }}, {{ A.conj | int }}, {{ B.conj | int }});
{% endfor %}
{% endfor %}
            }
            if (own{{ first }} == {{ j | index }} && {{ j | index }} > 0) {
                c{{ first }}_0 = kept;
                BB_NEXT(c{{ first }}_0, square, excess);
            }
{% endif %}
{% for c in range(size) %}
            if (own{{ first }} >= {{ (j, c) | index }} && own{{ first }} < {{ (j, size) | index }})
                BB_PUT(A + {{ A.at("own" ~ first, (j, c)) }}, {{ A.im }}, c{{ first }}_{{ c }});
{% endfor %}
            BB_TEAM_SYNC();
            bb_vec {{ names("inverse", size) }}, rough;
{{ block("d", A, j, size) }}
{{ pivots("d", size) }}
{% for p in range(first, slots) %}
{% for c in range(size) %}
{% if c + 1 == size and p <= first + 1 %}
            if (own{{ p }} == {{ (j, size) | index }})
                BB_SQUARE(square, c{{ p }}_{{ c }}, rough);
{% endif %}
            BB_TIMES_REAL(c{{ p }}_{{ c }}, inverse{{ c }});
{% for q in range(c + 1, size) %}
            BB_FMS(c{{ p }}_{{ q }}, c{{ p }}_{{ c }}, d{{ c }}_{{ q }}, {{ A.conj | int }}, {{ B.conj | int }});
{% endfor %}
{% endfor %}
{% with conditions = (["own" ~ p ~ " >= " ~ (j, size) | index] if p == first else []) + (["own" ~ p ~ " < " ~ n] if (p + 1) * lanes > n else []) %}
            {{ "if (" ~ conditions | join(" && ") ~ ")" if conditions }} {
{% for c in range(size) %}
                BB_PUT(A + {{ A.at("own" ~ p, (j, c)) }}, {{ A.im }}, c{{ p }}_{{ c }});
{% endfor %}
            }
{% endwith %}
{% endfor %}
            BB_TEAM_SYNC();
            if (lane == 0) {
{% for c in range(size) %}
{% for r in range(c, size) %}
                BB_PUT(A + {{ A.at((j, r), (j, c)) }}, {{ A.im }}, d{{ c }}_{{ r }});
{% endfor %}
{% endfor %}
            }
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_ints good = 0;
    bb_vec square = BB_ZEROS, excess = BB_ZEROS;
{{ own(n, lanes) }}
{% call(j, size, first) panels(n, lanes, body.share.panel) %}
{{ panel(j, size, first) }}
{% endcall %}
    BB_REPORT(*info, good < {{ n }}, good + 1);
}
