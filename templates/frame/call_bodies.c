{# The bodies of a kernel in their order. A matrix that one of them could not do is left by the next ones as it is: one
   lane alone skips them; of a vector, what they will change is kept and put back; what only its lane has lost is read
   again. #}
{% if kept and width > 1 %}
        bb_ints fresh, kept = {0};
        int failed = 0;
{% endif %}
{% for body in bodies %}
{% if body.guarded and width == 1 %}
        if (!info)
    {% endif %}
        {{ body.name }}({{ body.prefix }}{{ "far, " if ahead }}{{ full ~ ", count, " if partial }}{{ body.call }});
{% if body.keeps and width > 1 %}
        fresh = info & (kept == 0);
        kept = info;
        if (bb_any(&fresh)) {
            failed = 1;
{% for x in kept %}
            bb_keep(k{{ x.name }}, {{ width }}, {{ x.argument }}, {{ x.view.im }}, {{ x.reals }}, &fresh, {{ "count" if partial else width }});
{% endfor %}
        }
{% endif %}
{% endfor %}
{% if kept and width > 1 %}
        if (failed) {
{% for x in kept %}
            bb_keep({{ x.argument }}, {{ x.view.im }}, k{{ x.name }}, {{ width }}, {{ x.reals }}, &kept, {{ "count" if partial else width }});
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
