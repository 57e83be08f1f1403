{# All of a small symmetric matrix, made of its triangle. #}
{% set S, memory, hermitian = schedule.pitch, node.memory, node.op.hermitian and complex %}
{% set F, B, C = memory.inside("F", S), node.passed("B"), node.passed("C") %}
{% set order, A = node.order, memory.steps(node.op.operand("A")) | join(", ") %}
{% set within, across = memory.within(S), memory.across(S) %}
    BB_ALIGNED bb_real F[{{ S * S * parts }}];
    if (!BB_IS(alpha, 0)) {
        bb_move_triangle({{ order }}, A, {{ A }}, F, {{ within }}, {{ node.upper }}, 0, 0);
        bb_move_triangle({{ order }}, A, {{ A }}, F, {{ across }}, {{ node.upper }}, 1, {{ hermitian | int }});
{% if hermitian %}
        for (int64_t i = 0; i < {{ order }}; i++)
            F[i * {{ 2 * (S + 1) }} + 1] = 0;
{% endif %}
    }
{% if node.letters.side == "L" %}
    return {{ node.plain_product }}(means, m, n, m, alpha, beta, {{ F }}, {{ B }}, {{ C }});
{% else %}
    return {{ node.plain_product }}(means, m, n, n, alpha, beta, {{ B }}, {{ F }}, {{ C }});
{% endif %}
