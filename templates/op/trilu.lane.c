{# X with X L = U overwrites both, which share A: columns from the right, each less those behind it times L's column. Of
   matrices that a GPU's thread has all loops are unrolled, so that an array is in registers. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/loop.c" import named %}
{% set A = body.views[0] %}
{% set n = body.size.n %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    {{ body.array("l") }}
    {{ "BB_UNROLL(8)" if not target.simd }}
    for (int64_t j = {{ (n, -2) | index }}; j >= 0; j--) {
        for (int64_t s = j + 1; s < {{ n }}; s++)
            BB_GET(l[s], A + {{ A.at("s", "j") }}, {{ A.im }});
{% call(down) named(segments(n, column_rows), "i") %}
{{ t.load("A", A, down.size, 1, "i", "j") }}
{% for r in range(down.size) %}
            if (i + {{ r }} > j)
                BB_ZERO(c0_{{ r }});
{% endfor %}
            for (int64_t s = {{ (n, -1) | index }}; s > j; s--) {
{% for r in range(down.size) %}
                {
                    bb_elem a;
                    BB_GET(a, A + {{ A.at(("i", r), "s") }}, {{ A.im }});
                    BB_FMS(c0_{{ r }}, a, l[s], 0, 0);
                }
{% endfor %}
            }
{{ t.store("A", A, down.size, 1, "i", "j") }}
{% endcall %}
    }
}
