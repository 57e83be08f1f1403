{# The characteristic polynomial of B, p1, or of 2 B, x^n = a1 x^(n-1) + ... + an, by Newton's identities, from the
   traces t of its powers. Half of these are not made: the trace of a product is the sum of what both factors have at
   one place, one of them transposed. #}
{% from "tile/balance.c" import norm_of with context %}
{% from "tile/named_products.c" import at with context %}
{% set n = body.size.n %}
{% set known = characteristic(n, traceless=not complex) %}
{# Where the highest power tells that a squaring less will do, `lift` is 2, and B counts as 2 B. #}
{% macro lifted(last) %}
    bb_vec lift = BB_SELECT(times > 0, BB_ZEROS + 2, BB_ZEROS + 1), highest = BB_ZEROS;
{% call(x, i, j) norm_of("highest") %}
            {{ x }} = p{{ last }}{{ at(i, j) }};
{% endcall %}
    lift = BB_SELECT(highest <= (bb_real){{ known.most }}, lift, BB_ZEROS + 1);
    times -= lift - 1;
    power *= lift;
{% endmacro %}
{# What (i, j) of the one factor of power k adds to its trace; a square has the same at (j, i). #}
{% macro pair(k, i, j) %}
{% set halves = known.halves(k) %}
            left = p{{ halves[0] }}{{ at(i, j) }};
            right = p{{ halves[1] }}{{ at(j, i) }};
            BB_FMA(sum{{ k }}, left, right, 0, 0);
{% endmacro %}
{% macro traces() %}
{% for k in known.powers if k >= known.first %}
    bb_elem t{{ k }};
    BB_ZERO(t{{ k }});
    for (int64_t i = 0; i < {{ n }}; i++)
        BB_ADD(t{{ k }}, p{{ k }}{{ at("i", "i") }});
{% endfor %}
{% for k in known.sums %}
    bb_elem t{{ k }};
    BB_ZERO(t{{ k }});
{% endfor %}
{% if known.sums %}
    for (int64_t j = 0; j < {{ n }}; j++) {
{% for k in known.sums %}
        bb_elem sum{{ k }};
        BB_ZERO(sum{{ k }});
{% endfor %}
        for (int64_t i = 0; i < j; i++) {
            bb_elem left, right;
{% for k in known.sums %}
{{ pair(k, "i", "j") }}
{{ pair(k, "j", "i") if k % 2 }}
{% endfor %}
        }
{% for k in known.sums if k % 2 == 0 %}
        BB_TIMES_REAL(sum{{ k }}, 2);
{% endfor %}
        bb_elem left, right;
{% for k in known.sums %}
{{ pair(k, "j", "j") }}
        BB_ADD(t{{ k }}, sum{{ k }});
{% endfor %}
    }
{% endif %}
{% endmacro %}
{% macro newton() %}
{% if known.most %}
    bb_vec raised = {{ "lift" if known.first == 1 else "lift * lift" }};
{% for k in known.numbers %}
    BB_TIMES_REAL(t{{ k }}, raised);
    raised *= lift;
{% endfor %}
{% endif %}
{% for k in known.numbers %}
    bb_elem a{{ k }} = t{{ k }};
{% for i, trace in known.pairs(k) %}
    BB_FMS(a{{ k }}, a{{ i }}, t{{ trace }}, 0, 0);
{% endfor %}
    BB_TIMES_REAL(a{{ k }}, (bb_real)1 / {{ k }});
{% endfor %}
{% endmacro %}
