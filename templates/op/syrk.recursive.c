{# All of a small block, of which a triangle is added. #}
{% set S = schedule.pitch %}
{% set A, T = node.passed("A"), "T, " ~ node.memory.inside(S) %}
    BB_ALIGNED bb_real T[{{ S * S * parts }}];
    if ({{ node.product }}(threads, n, n, k, alpha, {{ node.scalar(0) }}, {{ A }}, {{ A }}, {{ T }}))
        return -1;
    bb_add_triangle(n, beta, T, {{ node.memory.within(S) }}, C, {{ node.rs("C") }}, {{ node.cs("C") }}, {{ (node.letters.uplo == "U") | int }}, {{ node.op.hermitian | int }});
    return 0;
