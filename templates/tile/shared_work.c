{# Bodies that one lane does, or a team together: of independent turns of a loop each lane of a team has its own, and
   where one needs what others wrote, or overwrites what they read, they meet. #}
{% set team = body.share.together %}
{% macro own(i, first, end) -%}
{% if team %}
for (int64_t {{ i }} = {{ first | index ~ " + " if first }}lane; {{ i }} < {{ end }}; {{ i }} += {{ schedule.lanes }})
{%- else %}
for (int64_t {{ i }} = {{ first | index }}; {{ i }} < {{ end }}; {{ i }}++)
{%- endif %}
{%- endmacro %}
{% macro meet() %}{{ "BB_TEAM_SYNC();" if team }}{% endmacro %}
{# The step from column to column of an array of n rows: for teams, whose lanes have rows or columns, an odd number. #}
{% macro lead(n) %}{{ n + 1 - n % 2 if team else n }}{% endmacro %}
{# What one of them writes. #}
{% macro first_lane() %}{{ "if (lane == 0)" if team }}{% endmacro %}
