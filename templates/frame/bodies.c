{# The bodies of a kernel in their order. A matrix that one of them could not do is left by the next ones as it is: one
   lane alone skips them; of a vector, what they will change is kept and put back. #}
{% for body in bodies %}
{% if body.guarded and width == 1 %}
        if (!info)
    {% endif %}
        {{ body.name }}({{ body.prefix }}{{ "far, " if ahead }}{{ full ~ ", count, " if partial }}{{ body.call }});
{% if body.keeps and width > 1 %}
        const int failed = bb_any(info);
        if (failed) {
{% for x in kept %}
            bb_keep(k{{ x.name }}, {{ width }}, {{ x.argument }}, {{ x.view.im }}, {{ x.reals }}, info, count);
{% endfor %}
        }
{% endif %}
{% endfor %}
{% if kept and width > 1 %}
        if (failed) {
{% for x in kept %}
            bb_keep({{ x.argument }}, {{ x.view.im }}, k{{ x.name }}, {{ width }}, {{ x.reals }}, info, count);
{% endfor %}
        }
{% endif %}
