{# A few rows: L is multiplied by its adjoint. #}
{% set rs, cs = node.adjoint %}
{% set S = schedule.pitch %}
    BB_ALIGNED bb_real F[{{ S * S * parts }}] = {0};
    (void)means;
    bb_move_triangle(n, A, {{ rs }}, {{ cs }}, F, {{ S }}, 1, 0, 0, {{ node.upper }});
    bb_triangular(0, n, n, {{ node.scalar(1) }}, A, {{ cs }}, {{ rs }}, 1, {{ 1 - node.upper }}, 0, F, {{ S }}, 1);
{% if complex %}
    for (int64_t i = 0; i < n; i++)
        F[i * {{ 2 * (S + 1) }} + 1] = 0;
{% endif %}
    bb_move_triangle(n, F, {{ S }}, 1, A, {{ rs }}, {{ cs }}, 0, 0, {{ node.upper }});
    return 0;
