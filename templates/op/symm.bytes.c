    return {{ node.plain_product }}_bytes(m, n, {{ node.order }});
