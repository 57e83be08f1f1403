{# What lane bodies do with a tile of elements in registers, c<column>_<row>. `lower`: only its lower triangle. #}
{% from "tile/loop.c" import loop %}
{% macro each(rows, cols, lower=false) %}{% for c in range(cols) %}{% for r in range(c if lower else 0, rows) %}{{ caller(r, c) }}{% endfor %}{% endfor %}{% endmacro %}
{% macro names(prefix, rows, first=0) %}{% for r in range(first, rows) %}{{ prefix }}{{ r }}{{ ", " if not loop.last }}{% endfor %}{% endmacro %}
{# What the tile prefetches for the matrices after next. #}
{% macro prefetch(ahead) %}
{% if ahead %}
            if (far) {
{% for x in ahead %}
{% for line in range(x.lines) %}
                BB_PREFETCH(ahead_{{ x.name }} + {{ line * 64 }}, {{ x.write | int }});
{% endfor %}
                ahead_{{ x.name }} += {{ x.step }};
{% endfor %}
            }
{% endif %}
{% endmacro %}
{% macro prefetched(ahead) %}
{% for x in ahead %}
    const char *ahead_{{ x.name }} = (const char *)next_{{ x.name }};
{% endfor %}
{% endmacro %}
{% macro zero(rows, cols, lower=false, tile="c") %}
{% for c in range(cols) %}
            bb_elem {{ names(tile ~ c ~ "_", rows, c if lower else 0) }};
{% for r in range(c if lower else 0, rows) %}
            BB_ZERO({{ tile }}{{ c }}_{{ r }});
{% endfor %}
{% endfor %}
{% endmacro %}
{% macro load(x, X, rows, cols, i, j, lower=false) %}
{% for c in range(cols) %}
            bb_elem {{ names("c" ~ c ~ "_", rows, c if lower else 0) }};
{% for r in range(c if lower else 0, rows) %}
            BB_GET(c{{ c }}_{{ r }}, {{ x }} + {{ X.at((i, r), (j, c)) }}, {{ X.im }});
{% endfor %}
{% endfor %}
{% endmacro %}
{# Addresses of interleaved elements would stay in a thread's registers from load to store. #}
{% macro store(x, X, rows, cols, i, j, lower=false, tile="c") %}
{% if X.im is string and not target.simd %}
            BB_ANEW({{ X.im }});
{% endif %}
{% for c in range(cols) %}
{% for r in range(c if lower else 0, rows) %}
            BB_PUT({{ x }} + {{ X.at((i, r), (j, c)) }}, {{ X.im }}, {{ tile }}{{ c }}_{{ r }});
{% endfor %}
{% endfor %}
{% endmacro %}
{# The tile += (FMA) or -= (FMS) A(i.., l) B(l, j..). `same`: B is A', i is j; `kept`: c0_0 before the last step. #}
{% macro products(verb, a, A, b, B, rows, cols, i, j, first, last, lower=false, same=false, tile="c", backwards=false,
                  kept="") %}
{% call(l) loop("l", first, last, pragma="BB_STEPS", backwards=backwards) %}
                bb_elem {{ names("a", rows) }}{{ ", b" if not same }};
{% for r in range(rows) %}
                BB_GET(a{{ r }}, {{ a }} + {{ A.at((i, r), l) }}, {{ A.im }});
{% endfor %}
                {{ kept ~ " = " ~ tile ~ "0_0;" if kept }}
{% for c in range(cols) %}
{% if not same %}
                BB_GET(b, {{ b }} + {{ B.at(l, (j, c)) }}, {{ B.im }});
{% endif %}
{% for r in range(c if lower else 0, rows) %}
                BB_{{ verb }}({{ tile }}{{ c }}_{{ r }}, a{{ r }}, {{ "a" ~ c if same else "b" }}, {{ A.conj | int }}, {{ B.conj | int }});
{% endfor %}
{% endfor %}
{% endcall %}
{% endmacro %}
{# C := alpha tile + beta C #}
{% macro update(C, rows, cols, i, j, lower=false, real_diagonal=false, scaled=false) %}
{% for c in range(cols) %}
{% if not scaled %}
            if (alpha_is == BB_ANY) {
{% for r in range(c if lower else 0, rows) %}
                BB_SCALE(c{{ c }}_{{ r }}, alpha);
{% endfor %}
            }
{% endif %}
            if (BB_NONZERO(beta_is, beta)) {
{% for r in range(c if lower else 0, rows) %}
                BB_ADD_OLD{{ "_REAL" if real_diagonal and r == c }}(c{{ c }}_{{ r }}, C + {{ C.at((i, r), (j, c)) }}, {{ C.im }});
{% endfor %}
            }
{% if real_diagonal %}
            BB_REAL(c{{ c }}_{{ c }});
{% endif %}
{% endfor %}
{{ store("C", C, rows, cols, i, j, lower) }}
{% endmacro %}
{# The tile := alpha times it. #}
{% macro scale(rows, cols) %}
            if (alpha_is == BB_ANY) {
{% call(r, c) each(rows, cols) %}
                BB_SCALE(c{{ c }}_{{ r }}, alpha);
{% endcall %}
            }
{% endmacro %}
