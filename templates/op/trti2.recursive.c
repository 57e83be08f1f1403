{# A few rows: the system whose right-hand sides are those of the identity. #}
{% set case, S, A = node.case, schedule.pitch, node.memory.steps(node.op.operand("A")) | join(", ") %}
    BB_ALIGNED bb_real F[{{ S * S * parts }}] = {0};
    (void)means;
    for (int64_t i = 0; i < n; i++)
        F[i * {{ (S + 1) * parts }}] = 1;
    bb_triangular(1, n, n, {{ node.scalar(1) }}, A, {{ A }}, {{ node.upper }}, 0, {{ case.unit }}, F, {{ S }}, 1);
    bb_move_triangle(n, F, {{ S }}, 1, A, {{ A }}, {{ node.upper }}, {{ case.unit }}, 0);
    return 0;
