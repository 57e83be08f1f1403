    (void)means;
{% if node.letters.diag == "U" %}
    (void){% for _, name in node.parameters %}{{ name }}{{ ", (void)" if not loop.last }}{% endfor %};
    return 0;
{% else %}
    for (int64_t i = 0; i < n; i++) {
        const bb_real *x = {{ node.memory.at(node.op.operand("A"), "i", "i") }};
        if (x[0] == 0{{ " && x[1] == 0" if complex }})
            return i + 1;
    }
    return 0;
{% endif %}
