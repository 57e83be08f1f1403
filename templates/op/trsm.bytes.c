    return {{ node.order }} > {{ schedule.stop }} ? bb_few_bytes({{ node.order }}, {{ node.free }}) : 0;
