{# A vector of matrices on the way to lanes and back. #}
{% from "frame/move.c" import move with context %}
{# What the argument block says of all. #}
{% macro constants() %}
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
{% endmacro %}
{# Pointers to the matrices of lanes. Lanes that do not exist repeat the last that does. #}
{% macro locate() %}
{% for x in operands if x.located %}
        {{ x.const }}{{ x.ctype }} *q{{ x.name }}[{{ width }}];
{% endfor %}
{% for x in operands if x.located %}
{% if x.storage == "st" %}
        q{{ x.name }}[0] = {{ x.matrix("p") }};
        for (int lane = 1; lane < {{ width }}; lane++)
            q{{ x.name }}[lane] = q{{ x.name }}[lane - 1] + (lane < count ? g->stride_{{ x.letter }}{{ " * 2" if x.parts == 2 }} : 0);
{% else %}
        for (int lane = 0; lane < {{ width }}; lane++)
            q{{ x.name }}[lane] = {{ x.pointer("(p + (lane < count ? lane : count - 1))") }};
{% endif %}
{% endfor %}
{% endmacro %}
{% macro bring() %}
{% for x in operands %}
{% if x.moved and x.reads and not x.by_pointers %}
        if ({{ x.reads_when }}) {
{{ move(x, "pack", "") }}
        }
{% elif not x.gathered %}
        {{ x.const }}{{ x.ctype }} *const {{ x.name }} = {{ x.pointer("p") }};
{% endif %}
{% endfor %}
{% endmacro %}
{% macro unpack() %}
{% for x in operands if x.moved and x.writes and not x.by_pointers %}
{{ move(x, "unpack", ", count" if partial else ", " ~ width) }}
{% endfor %}
{% if info %}
        bb_put_info(g->info + p, {{ "&" if abreast == 1 }}info{{ ", count" if width > 1 }});
{% endif %}
{% endmacro %}
