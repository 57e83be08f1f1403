{# Inverses of matrices in arrays by elimination without exchanges, a few pivots at a time: each element is loaded and
   stored once for all of them. Pivots are real. Products that lose others later are rounded, or compilers would fuse
   them with these where loops are unrolled, and not else. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/loop.c" import along %}
{% from "tile/several.c" import several %}
{% set n = body.size.n %}
{% set together = 4 %}
{% macro at(i, j) %}[({{ j | index }}) * {{ n }} + {{ i | index }}]{% endmacro %}
{# The block on the diagonal, w<row>_<column>, becomes its inverse. Of pivot q `inverse` stays, f<q>_<row>, its column,
   and e<q>_<column>, its row divided by it. #}
{% macro pivots(x, k, size) %}
                bb_vec {{ t.names("inverse", size) }};
{% for s in range(size) %}
                bb_elem {{ t.names("w" ~ s ~ "_", size) }};
{% for r in range(size) %}
                w{{ s }}_{{ r }} = {{ x ~ at((k, s), (k, r)) }};
{% endfor %}
{% endfor %}
{% for q in range(size) %}
                {
                    const bb_vec pivot = BB_RE(w{{ q }}_{{ q }});
                    bb_reciprocal(&inverse{{ q }}, &pivot);
                }
                BB_ZERO(w{{ q }}_{{ q }});
                BB_SET_REAL(w{{ q }}_{{ q }}, inverse{{ q }});
{% for s in range(size) if s != q %}
                BB_TIMES_REAL(w{{ q }}_{{ s }}, inverse{{ q }});
                const bb_elem e{{ q }}_{{ s }} = w{{ q }}_{{ s }}, f{{ q }}_{{ s }} = w{{ s }}_{{ q }};
                BB_SCALED(w{{ s }}_{{ q }}, -inverse{{ q }});
{% endfor %}
{% for s in range(size) if s != q %}
{% for r in range(size) if r != q %}
                BB_FMS(w{{ s }}_{{ r }}, f{{ q }}_{{ s }}, e{{ q }}_{{ r }}, 0, 0);
{% endfor %}
{% endfor %}
{% endfor %}
{% endmacro %}
{# Row i beside the block: what it has when each pivot comes goes to `column`. #}
{% macro row(x, k, size) %}
                    bb_elem {{ t.names("x", size) }};
{% for q in range(size) %}
                    x{{ q }} = {{ x ~ at("i", (k, q)) }};
{% endfor %}
{% for q in range(size) %}
                    column[i * {{ together }} + {{ q }}] = x{{ q }};
{% for s in range(size) if s != q %}
                    BB_FMS(x{{ s }}, x{{ q }}, e{{ q }}_{{ s }}, 0, 0);
{% endfor %}
                    BB_SCALED(x{{ q }}, -inverse{{ q }});
{% endfor %}
{% for q in range(size) %}
                    {{ x ~ at("i", (k, q)) }} = x{{ q }};
{% endfor %}
{% endmacro %}
{# Column j + `offset` of the rows of the block; y<offset>_<row> is what it has over each pivot when that comes. #}
{% macro top(x, k, size, offset) %}
                    bb_elem {{ t.names("x" ~ offset ~ "_", size) }}, {{ t.names("y" ~ offset ~ "_", size) }};
{% for q in range(size) %}
                    x{{ offset }}_{{ q }} = {{ x ~ at((k, q), ("j", offset)) }};
{% endfor %}
{% for q in range(size) %}
                    BB_TIMES_REAL(x{{ offset }}_{{ q }}, inverse{{ q }});
                    y{{ offset }}_{{ q }} = x{{ offset }}_{{ q }};
{% for s in range(size) if s != q %}
                    BB_FMS(x{{ offset }}_{{ s }}, f{{ q }}_{{ s }}, y{{ offset }}_{{ q }}, 0, 0);
{% endfor %}
{% endfor %}
{% for q in range(size) %}
                    {{ x ~ at((k, q), ("j", offset)) }} = x{{ offset }}_{{ q }};
{% endfor %}
{% endmacro %}
{% macro beside(x, size, count, first, last) %}
                    for (int64_t i = {{ first }}; i < {{ last }}; i++) {
{% for c in range(count) %}
                        bb_elem sum{{ c }} = {{ x ~ at("i", ("j", c)) }};
{% endfor %}
{% for q in range(size) %}
                        bb_elem own{{ q }} = column[i * {{ together }} + {{ q }}];
                        BB_HOLD(own{{ q }});
{% for c in range(count) %}
                        BB_FMS(sum{{ c }}, own{{ q }}, y{{ c }}_{{ q }}, 0, 0);
{% endfor %}
{% endfor %}
{% for c in range(count) %}
                        {{ x ~ at("i", ("j", c)) }} = sum{{ c }};
{% endfor %}
                    }
{% endmacro %}
{% macro others(x, k, size, first, last) %}
{% call(count) several("j", first, last, 1 if complex and bits < 512 else 2) %}
{{ top(x, k, size, 0) }}
{{ top(x, k, size, 1) if count > 1 }}
{{ beside(x, size, count, 0, k | index) }}
{{ beside(x, size, count, (k, size) | index, n) }}
{% endcall %}
{% endmacro %}
{# x := x^-1 #}
{% macro inverted(x) %}
{% call(k, found) along(segments(n, together), "k", even=false) %}
{% set size = found.size %}
            {
{{ pivots(x, k, size) }}
{% if n is string or n > size %}
                for (int64_t i = 0; i < {{ n }}; i++) {
                    if (i >= {{ k | index }} && i < {{ (k, size) | index }})
                        continue;
{{ row(x, k, size) }}
                }
{{ others(x, k, size, 0, k) }}
{{ others(x, k, size, (k, size), n) }}
{% endif %}
{% for s in range(size) %}
{% for r in range(size) %}
                {{ x ~ at((k, r), (k, s)) }} = w{{ r }}_{{ s }};
{% endfor %}
{% endfor %}
            }
{% endcall %}
{% endmacro %}
