    return {{ node.product }}_bytes(n, n, k);
