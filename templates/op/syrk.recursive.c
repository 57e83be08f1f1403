{# All of a small block, of which a triangle is added. #}
{% set S, memory, product = schedule.pitch, node.memory, node.product %}
{% set A, C = node.passed("A"), node.op.operand("C") %}
{% set T, zero = memory.inside("T", S), node.scalar(0) %}
    BB_ALIGNED bb_real T[{{ S * S * parts }}];
    if ({{ product }}(means, n, n, k, alpha, {{ zero }}, {{ A }}, {{ A }}, {{ T }}))
        return -1;
    bb_add_triangle(n, beta, T, {{ memory.within(S) }}, C, {{ memory.steps(C) | join(", ") }},
                    {{ node.upper }}, {{ node.op.hermitian | int }});
    return 0;
