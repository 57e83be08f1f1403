{# A product, by the kernel for any size. #}
    if (m == 0 || n == 0)
        return 0;
#ifdef BB_WORK
    if (means.work)
        return {{ called[node.need] }}_work({{ node.product_arguments() }}, 1, means.work) ? -1 : 0;
#endif
    const int team = (double)m * (double)n * (double)k < {{ least_product }} ? 1 : means.threads;
    return {{ called[node.need] }}({{ node.product_arguments() }}, team) ? -1 : 0;
