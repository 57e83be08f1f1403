{# Rows of a matrix go round among the lanes of a team: the loop of each lane over its own, and one over elements that it
   has of them in registers. #}
{% macro mine(rows) %}
            BB_UNROLLED
            for (int r = 0; r < {{ rows }}; r++)
{%- endmacro %}
{% macro columns(first, last) %}
                BB_UNROLLED
                for (int c = {{ first }}; c < {{ last }}; c++)
{%- endmacro %}
