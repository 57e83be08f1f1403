{# The bodies of a kernel in their order. A matrix that one of them could not do is left by the next ones as it is: one
   lane alone skips them; of a vector, what they will change is kept and put back; what only its lane has lost is read
   again. #}
{# Columns that lie apart are copied one by one. #}
{% macro keep(to, to_step, from, from_step, x, lanes) %}
{% if x.spaced %}
            for (int64_t c = 0; c < {{ x.stored_cols }}; c++)
    {% endif %}
            bb_keep({{ to }}, {{ to_step }}, {{ from }}, {{ from_step }}, {{ x.column_reals if x.spaced else x.reals }}, {{ lanes }}, {{ "count" if partial else width }});
{% endmacro %}
{% macro own(x) %}{{ x.argument }}{{ " + c * " ~ x.row ~ " * " ~ x.view.im if x.spaced }}{% endmacro %}
{% macro copy(x) %}k{{ x.name }}{{ " + c * " ~ x.column_reals ~ " * " ~ width if x.spaced }}{% endmacro %}
{% if kept and width > 1 %}
        bb_ints fresh, kept = {0};
        int failed = 0;
{% endif %}
{% for body in bodies %}
{% if forgets and not loop.first %}
{% for x in operands if not x.gathered or (schedule.staged and x.has_lanes) %}
    BB_ANEW_FROM({{ "s" if x.has_lanes }}{{ x.name }});
{% endfor %}
{% endif %}
{% if body.guarded and width == 1 %}
        if (!info)
    {% endif %}
{% if body.abreast < abreast %}
        for (int vector = 0; vector < vectors; vector++)
    {% endif %}
        {{ body.name }}({{ body.prefix }}{{ full ~ ", count, " if partial }}{{ body.call }});
{% if body.offset %}
        BB_OFFSET(info, {{ "(bb_int)" if unknown }}{{ body.offset }});
{% endif %}
{% if body.keeps and width > 1 %}
        fresh = info & (kept == 0);
        kept = info;
        if (bb_any(&fresh)) {
            failed = 1;
{% for x in kept %}
{{ keep(copy(x), width, own(x), x.view.im, x, "&fresh") }}
{% endfor %}
        }
{% endif %}
{% endfor %}
{% if kept and width > 1 %}
        if (failed) {
{% for x in kept %}
{{ keep(own(x), x.view.im, copy(x), width, x, "&kept") }}
{% endfor %}
        }
{% endif %}
{% if again %}
        if (bb_any(&info)) {
{% for x in again %}
            bb_again({{ x.argument }}, {{ x.pointers }}, {{ x.stored_rows }}, {{ x.stored_cols }}, {{ x.row }}, &info);
{% endfor %}
        }
{% endif %}
