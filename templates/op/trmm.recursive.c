{# What is left of trmm with a triangle of a few rows, or with a few right-hand sides. #}
{% set case = node.case %}
    (void)means;
    if ({{ node.order }} > {{ schedule.stop }} && {{ node.free }} <= {{ schedule.few }})
        return bb_few(means, 0, {{ case.lies }}, {{ case.backwards }}, {{ node.order }}, {{ node.free }}, alpha,
                      A, {{ case.a }}, {{ case.conj }}, {{ case.unit }}, B, {{ case.b }});
    bb_triangular(0, {{ node.order }}, {{ node.free }}, alpha, A, {{ case.a }}, {{ case.backwards }},
                  {{ case.conj }}, {{ case.unit }}, B, {{ case.b }});
    return 0;
