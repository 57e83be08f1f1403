{# A product, by the kernel for any size. #}
    if (m == 0 || n == 0)
        return 0;
    const int team = (double)m * (double)n * (double)k < {{ 1e5 / parts ** 2 }} ? 1 : threads;
    return {{ called[node.need] }}({{ node.product_arguments() }}, team) ? -1 : 0;
