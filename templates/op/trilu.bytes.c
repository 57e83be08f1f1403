{% set w = schedule.stop %}
    int64_t bytes = 0;
    for (int64_t left = n - {{ w }}; left > 0; left -= {{ w }})
        bytes = bb_most(bytes, {{ node.plain_product }}_bytes(n, {{ w }}, left));
    return bb_aside(n) * {{ w * parts }} * (int64_t)sizeof(bb_real) + bytes;
