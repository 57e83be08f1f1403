{# A copy, perhaps transposed. #}
{% set turned, conj = node.letters.transa.transposes, node.letters.transa.conjugates and complex %}
{% set A, B, memory = node.op.operand("A"), node.op.operand("B"), node.memory %}
    (void)means;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            const bb_real *from = {{ memory.at(A, "j", "i") if turned else memory.at(A, "i", "j") }};
            bb_real *to = {{ memory.at(B, "i", "j") }};
            to[0] = from[0];
{% if complex %}
            to[1] = {{ "-" if conj }}from[1];
{% endif %}
        }
    return 0;
