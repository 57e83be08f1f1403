{# Rows of a matrix go round among the lanes of a team: the loop of a lane over its own, and that over the columns that
   it has of each in registers. #}
{% macro mine(rows) %}
            BB_UNROLLED
            for (int r = 0; r < {{ rows }}; r++)
{%- endmacro %}
{% macro columns(first, last) %}
                BB_UNROLLED
                for (int c = {{ first }}; c < {{ last }}; c++)
{%- endmacro %}
{% macro row() %}(lane + r * {{ schedule.lanes }}){% endmacro %}
