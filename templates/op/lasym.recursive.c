{% set upper = node.letters.uplo == "U" %}
    (void)threads;
    bb_move_triangle(n, A, {{ node.rs("A") }}, {{ node.cs("A") }}, A, {{ node.cs("A") }}, {{ node.rs("A") }}, {{ upper | int }}, 1, {{ complex | int }});
    return 0;
