{# The triangle that uplo does not name. #}
{% set rs, cs = node.rs("A"), node.cs("A") %}
    (void)means;
    bb_move_triangle(n, A, {{ rs }}, {{ cs }}, A, {{ cs }}, {{ rs }}, {{ node.upper }}, 1, {{ complex | int }});
    return 0;
