{# A few rows: the system whose right-hand sides are those of the identity. #}
{% set upper, unit, S = node.letters.uplo == "U", node.letters.diag == "U", schedule.pitch %}
    BB_ALIGNED bb_real F[{{ S * S * parts }}] = {0};
    (void)threads;
    for (int64_t i = 0; i < n; i++)
        F[i * {{ (S + 1) * parts }}] = 1;
    bb_triangular(1, n, n, {{ node.scalar(1) }}, A, {{ node.rs("A") }}, {{ node.cs("A") }}, {{ upper | int }}, 0, {{ unit | int }}, F, {{ S }}, 1);
    bb_move_triangle(n, F, {{ S }}, 1, A, {{ node.rs("A") }}, {{ node.cs("A") }}, {{ upper | int }}, {{ unit | int }}, 0);
    return 0;
