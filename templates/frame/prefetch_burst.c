{# Prefetches matrices some vectors, or matrices, ahead of number `p`, all at once, where they come from beyond a
   level-2 cache. #}
        if (far) {
            const int64_t next = {{ p }} + {{ schedule.prefetch }} < hi ? {{ p }} + {{ schedule.prefetch }} : {{ p }};
{% for x in bursts %}
{% if x.gathered %}
            for (int lane = 0; lane < {{ width }}; lane++) {
                const char *line = (const char *)({{ x.pointer("(next + lane < hi ? next + lane : p)") }});
                for (int64_t b = 0; b < {{ x.reals * compute.bytes }}; b += 64)
                    BB_PREFETCH(line + b, {{ x.writes | int }});
            }
{% elif x.nb and x.wanted and not x.view.packed %}
            {
                const bb_real *const ahead = {{ x.pointer("next") }};
                for (int64_t j = 0; j < {{ x.stored_cols }}; j++)
{% if x.wanted == "L" %}
                    for (int64_t i = j; i < {{ x.stored_rows }}; i++)
{% else %}
                    for (int64_t i = 0; i <= j; i++)
{% endif %}
                        for (int64_t b = 0; b < {{ x.nb * parts * compute.bytes }}; b += 64)
                            BB_PREFETCH((const char *)(ahead + {{ x.view.at("i", "j") }}) + b, {{ x.writes | int }});
            }
{% else %}
            {
                const char *line = (const char *)({{ x.pointer("next") }});
                for (int64_t b = 0; b < {{ x.reals * (x.nb or 1) * compute.bytes }}; b += 64)
                    BB_PREFETCH(line + b, {{ x.writes | int }});
            }
{% endif %}
{% endfor %}
        }
