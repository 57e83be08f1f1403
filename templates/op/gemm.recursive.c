{# A product: by the kernel that packs its factors, or by the one that reads them where they lie. #}
{% set found = node.needs() %}
    if (m == 0 || n == 0)
        return 0;
    const double work = (double)m * (double)n * (double)k;
    const int team = work < {{ 1e5 / parts ** 2 }} ? 1 : threads;
{% if found | length > 1 %}
    if (work < {{ least }} || m < {{ least_side }} || n < {{ least_side }} || k < {{ least_side }})
        return {{ called[found[0]] }}({{ node.product_arguments() }}, team) ? -1 : 0;
{% endif %}
    return {{ called[found[-1]] }}({{ node.product_arguments() }}, team) ? -1 : 0;
