{# All of a small symmetric matrix, made of its triangle. #}
{% set S, upper, hermitian = schedule.pitch, node.letters.uplo == "U", node.op.hermitian and complex %}
{% set F, B, C = "F, " ~ node.memory.inside(S), node.passed("B"), node.passed("C") %}
{% set rs, cs = node.memory.within(S).split(", ") %}
    BB_ALIGNED bb_real F[{{ S * S * parts }}];
    if (!BB_IS(alpha, 0)) {
        bb_move_triangle({{ node.order }}, A, {{ node.rs("A") }}, {{ node.cs("A") }}, F, {{ rs }}, {{ cs }}, {{ upper | int }}, 0, 0);
        bb_move_triangle({{ node.order }}, A, {{ node.rs("A") }}, {{ node.cs("A") }}, F, {{ cs }}, {{ rs }}, {{ upper | int }}, 1, {{ hermitian | int }});
{% if hermitian %}
        for (int64_t i = 0; i < {{ node.order }}; i++)
            F[i * {{ 2 * (S + 1) }} + 1] = 0;
{% endif %}
    }
    return {{ node.plain_product }}(threads, m, n, {{ node.order }}, alpha, beta, {{ F ~ ", " ~ B if node.letters.side == "L" else B ~ ", " ~ F }}, {{ C }});
