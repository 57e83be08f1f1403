{# The pivot of column p in registers, rows p to m: the masks by which it is found, which bring it up before its number
   is known, and masks of that number alone: of what was `larger` on the way and nothing behind it.
   Of a pivot that is to be `signed` also whether it `moved`. #}
{% import "tile/register_tile.c" as t with context %}
{% macro search(p, m, signed) %}
        bb_vec size;
        bb_mask {{ t.names("larger", m, p + 1) }}, {{ t.names("taken", m, p + 1) }};
{% for i in range(p + 1, m) %}
        BB_CABS1(size, c{{ p }}_{{ i }});
        BB_GREATER(larger{{ i }}, size, largest);
        BB_MAX(largest, size);
        BB_TAKE(at{{ p }}, larger{{ i }}, BB_ZEROS + {{ i }});
{% endfor %}
{% if bits == 512 or (width > 1 and m < 5) %}
        bb_mask moved = larger{{ m - 1 }};
        taken{{ m - 1 }} = moved;
{% for i in range(m - 2, p, -1) %}
        taken{{ i }} = larger{{ i }};
        BB_EXCEPT(taken{{ i }}, moved);
        BB_OR(moved, larger{{ i }});
{% endfor %}
        (void)moved;
{% else %}
{% if signed %}
        bb_mask moved;
        BB_GREATER(moved, at{{ p }}, BB_ZEROS + {{ p }});
{% endif %}
{% for i in range(p + 1, m) %}
        BB_EQUAL(taken{{ i }}, at{{ p }}, BB_ZEROS + {{ i }});
{% endfor %}
{% endif %}
{% endmacro %}
