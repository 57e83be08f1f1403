{# A few rows: L is multiplied by its adjoint. #}
{% set upper, S = node.letters.uplo == "U", schedule.pitch %}
{% set rs, cs = (node.cs("A"), node.rs("A")) if upper else (node.rs("A"), node.cs("A")) %}
    BB_ALIGNED bb_real F[{{ S * S * parts }}] = {0};
    (void)threads;
    bb_move_triangle(n, A, {{ rs }}, {{ cs }}, F, {{ S }}, 1, 0, 0, {{ upper | int }});
    bb_triangular(0, n, n, {{ node.scalar(1) }}, A, {{ cs }}, {{ rs }}, 1, {{ (not upper) | int }}, 0, F, {{ S }}, 1);
{% if complex %}
    for (int64_t i = 0; i < n; i++)
        F[i * {{ 2 * (S + 1) }} + 1] = 0;
{% endif %}
    bb_move_triangle(n, F, {{ S }}, 1, A, {{ rs }}, {{ cs }}, 0, 0, {{ upper | int }});
    return 0;
