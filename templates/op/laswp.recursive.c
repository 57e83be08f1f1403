{% set left = node.letters.side == "L" %}
{% set lines, others = ("m", "n") if left else ("n", "m") %}
{% set line, step = (node.rs("A"), node.cs("A")) if left else (node.cs("A"), node.rs("A")) %}
{% set backwards = node.letters.trans.transposes | int %}
    const bb_exchange_args g = { k, IPIV, {{ backwards }}, A, {{ lines }}, {{ line }}, {{ step }} };
    const double exchanged = (double)k * (double){{ others }};
    const int team = exchanged < {{ least_exchange }} ? 1 : means.threads;
    bb_share(bb_exchange_part, &g, {{ others }}, {{ grain }}, team, exchanged);
    return 0;
