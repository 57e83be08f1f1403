{# (re, im) = or += (x, y) times a complex scalar, in the order of lanes. #}
{% macro times(re, im, x, y, s, begin) %}
{{ re }} {{ begin }} {{ x }} * {{ s }}.re;
{{ re }} -= {{ y }} * {{ s }}.im;
{{ im }} {{ begin }} {{ y }} * {{ s }}.re;
{{ im }} += {{ x }} * {{ s }}.im;
{% endmacro %}
{# (x, y) += (old, other) times beta, which is not multiplied by where it is one. #}
{% macro more(x, y) %}
if (beta_is == 1) {
    {{ x }} += old;
    {{ y }} += other;
} else {
    {{ times(x, y, "old", "other", "beta", "+=") | indent(4) }}
}
{% endmacro %}
