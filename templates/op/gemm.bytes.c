    return {{ called[node.need] }}_work({{ node.product_asked }});
