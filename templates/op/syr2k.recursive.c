{# All of a small block, of which a triangle is added. #}
{% set S = schedule.pitch %}
{% set A, B, T = node.passed("A"), node.passed("B"), "T, " ~ node.memory.inside(S) %}
    BB_ALIGNED bb_real T[{{ S * S * parts }}];
    if ({{ node.product }}(threads, n, n, k, alpha, {{ node.scalar(0) }}, {{ A }}, {{ B }}, {{ T }}))
        return -1;
    if ({{ node.product }}(threads, n, n, k, {{ node.scalar("alpha*" if node.op.hermitian else "alpha") }}, {{ node.scalar(1) }}, {{ B }}, {{ A }}, {{ T }}))
        return -1;
    bb_add_triangle(n, beta, T, {{ node.memory.within(S) }}, C, {{ node.rs("C") }}, {{ node.cs("C") }}, {{ (node.letters.uplo == "U") | int }}, {{ node.op.hermitian | int }});
    return 0;
