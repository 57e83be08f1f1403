{% set turned, conj = node.letters.transa.transposes, node.letters.transa.conjugates and complex %}
    (void)threads;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            const bb_real *from = {{ node.memory.at(node.op.operand("A"), "j" if turned else "i", "i" if turned else "j") }};
            bb_real *to = {{ node.memory.at(node.op.operand("B"), "i", "j") }};
            to[0] = from[0];
{% if complex %}
            to[1] = {{ "-" if conj }}from[1];
{% endif %}
        }
    return 0;
