{# What decompositions begin and end with. #}
{# The powers of two by which elements are scaled, up again and down. What is not finite is `bad`: zeros stand for it,
   so that no loop waits for it, and its results are NaN, as their factors `up` and `whole` are. #}
{% macro finite(vectors=body.vectors) %}
    bb_scale_of(&down, &up, &largest);
    const bb_ints bad = (lack == 0) == 0;
{% if vectors %}
    const bb_vec whole = BB_SELECT(bad, lack, BB_ZEROS + 1);
{% endif %}
    up = BB_SELECT(bad, lack, up);
    BB_REPORT(*info, bad, 1);
{% endmacro %}
{# Value i of those of W. No zero is negative. #}
{% macro value(W, i, x) %}
    BB_STORE(W + {{ W.at(i, 0) }}, BB_ZEROS + {{ x }} * up);
{% endmacro %}
{# An element, conjugated where the view is. #}
{% macro get(x, t, T, i, j) %}
BB_GET({{ x }}, {{ t }} + {{ T.at(i, j) }}, {{ T.im }});{{ " BB_CONJ(" ~ x ~ ");" if T.conj }}
{%- endmacro %}
{% macro put(x, t, T, i, j) %}
{{ "BB_CONJ(" ~ x ~ "); " if T.conj }}BB_PUT({{ t }} + {{ T.at(i, j) }}, {{ T.im }}, {{ x }});
{%- endmacro %}
