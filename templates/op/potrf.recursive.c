{# The factor of a few rows; that of the upper triangle is the adjoint of the lower one's. #}
{% set upper = node.letters.uplo == "U" %}
{% set steps = (node.cs("A"), node.rs("A")) if upper else (node.rs("A"), node.cs("A")) %}
    (void)threads;
    return bb_cholesky(n, A, {{ steps | join(", ") }}, {{ upper | int }});
