{# What is left of trmm with a triangle of a few rows. #}
{% set case = node.case %}
    (void)threads;
    bb_triangular(0, {{ node.order }}, {{ node.free }}, alpha, A, {{ case.a }}, {{ case.backwards }},
                  {{ case.conj }}, {{ case.unit }}, B, {{ case.b }});
    return 0;
