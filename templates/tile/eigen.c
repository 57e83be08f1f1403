{# What decompositions begin and end with. #}
{# The powers of two by which elements are scaled, up again and down. What is not finite is `bad`: zeros stand for it,
   so that no loop waits for it, and its results are NaN, as their factors `up` and `whole` are. #}
{% macro finite(vectors=body.vectors, report="*info") %}
    bb_scale_of(&down, &up, &largest);
    const bb_ints bad = (lack == 0) == 0;
{% if vectors %}
    const bb_vec whole = BB_SELECT(bad, lack, BB_ZEROS + 1);
{% endif %}
    up = BB_SELECT(bad, lack, up);
    BB_REPORT({{ report }}, bad, 1);
{% endmacro %}
{# Value i of those of W. No zero is negative. #}
{% macro value(W, i, x, w="W") %}
    BB_STORE({{ w }} + {{ W.at(i, 0) }}, BB_ZEROS + {{ x }} * up);
{% endmacro %}
{# An element, conjugated where the view is. #}
{% macro get(x, t, T, i, j) %}
BB_GET({{ x }}, {{ t }} + {{ T.at(i, j) }}, {{ T.im }});{{ " BB_CONJ(" ~ x ~ ");" if T.conj }}
{%- endmacro %}
{% macro put(x, t, T, i, j) %}
{{ "BB_CONJ(" ~ x ~ "); " if T.conj }}BB_PUT({{ t }} + {{ T.at(i, j) }}, {{ T.im }}, {{ x }});
{%- endmacro %}
{# What is done for each vector of matrices of those abreast; `q` is its number. #}
{% macro each() %}
{% if body.abreast > 1 %}
    for (int64_t q = 0; q < vectors; q++) {
{{ caller() }}
    }
{% else %}
    {
        enum { q = 0 };
{{ caller() }}
    }
{% endif %}
{% endmacro %}
{# Its matrices, of which those of the next are `apart`. #}
{% macro own(name, apart, const="", pointer="bb_real *") %}
        {{ const ~ pointer }}const own = {{ name }}{{ " + q * " ~ apart if body.abreast > 1 }};
{% endmacro %}
