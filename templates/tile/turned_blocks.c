{# The tile += blocks of the left factor, whose rows are contiguous, times rows of the right one: the columns of a block
   are made in registers. What is prefetched goes to the level-2 cache: a level-1 cache has this matrix. #}
{% macro turned(found, ahead) %}
{% for one in found %}
            {{ one.again }} {
{% for x in ahead if one.lines(x) %}
{% for line in one.lines(x) %}
                __builtin_prefetch(ahead_{{ x.name }} + {{ line }}, 0, 2);
{% endfor %}
                ahead_{{ x.name }} += {{ one.bytes(x) }};
{% endfor %}
{% for block, steps in one.vectors %}
                {
                    BB_FORGET;
                    bb_vec x[{{ passes[0].panel.across }}];
                    bb_turn({{ block }}, {{ one.stride }}, x);
{% for step in steps %}
                    {
{% for factor in step.factors %}
                        const bb_real {{ factor.name }} = {{ factor.address }};
{% for product in factor.products %}
                        {{ product.sum }} {{ product.sign }}= {{ product.a }} * {{ factor.name }};
{% endfor %}
{% endfor %}
                    }
{% endfor %}
                }
{% endfor %}
            }
{% endfor %}
{% endmacro %}
