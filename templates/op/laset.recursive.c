{# The triangle that uplo does not name. #}
{% set from, end = node.other %}
    (void)means;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = {{ from }}; i < {{ end }}; i++)
            memset({{ node.memory.at(node.op.operand("A"), "i", "j") }}, 0, {{ parts }} * sizeof *A);
    return 0;
