{% set left = node.letters.side == "L" %}
{% set line, others, step = (node.rs("A"), "n", node.cs("A")) if left else (node.cs("A"), "m", node.rs("A")) %}
    const bb_exchange_args g = { k, IPIV, {{ node.letters.trans.transposes | int }}, A, {{ line }}, {{ step }} };
    (void){{ "m" if left else "n" }};
    const double exchanged = (double)k * (double){{ others }};
    const int team = exchanged < {{ least_exchange }} ? 1 : means.threads;
    bb_share(bb_exchange_part, &g, {{ others }}, {{ grain }}, team, exchanged);
    return 0;
