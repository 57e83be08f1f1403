{# The loop over columns from `first` on; of a team each lane goes through its own. #}
{% macro each_column(first) %}
{% if body.share.together %}
for (int64_t j = lane; j < {{ body.size.n }}; j += {{ schedule.lanes }})
{%- else %}
for (int64_t j = {{ first }}; j < {{ body.size.n }}; j++)
{%- endif %}
{% endmacro %}
