{% set left = node.letters.side == "L" %}
{% set steps = (node.rs("A"), "n", node.cs("A")) if left else (node.cs("A"), "m", node.rs("A")) %}
    (void)means;
    (void){{ "m" if left else "n" }};
    bb_exchange(k, IPIV, {{ node.letters.trans.transposes | int }}, A, {{ steps | join(", ") }});
    return 0;
