{# The loops of a body that goes through the lower triangle of an n x n matrix in square tiles, columns first:
   `diagonal(size)` at j, then `below(rows, size)` at i, j. #}
{% macro columns(n, step, diagonal, below) %}
{% set rest = n % step %}
{% for across in segments(n, step) %}
    {{ across.open("j") }}
{{ diagonal(across.size) }}
{% if across.size == step and across.repeats > 1 %}
        for (int64_t i = j + {{ step }}; i < {{ across.stop }}; i += {{ step }}) {
{{ below(step, step) }}
        }
{% endif %}
{% if across.size == step and rest %}
        { const int64_t i = {{ n - rest }};
{{ below(rest, step) }}
        }
{% endif %}
    }
{% endfor %}
{% endmacro %}
{# Where alpha is zero all of B is, whatever it and A hold. #}
{% macro cleared(B, m, n) %}
    if (alpha_is == 0) {
        for (int64_t j = 0; j < {{ n }}; j++)
            for (int64_t i = 0; i < {{ m }}; i++) {
                bb_elem x;
                BB_ZERO(x);
                BB_PUT(B + {{ B.at("i", "j") }}, {{ B.im }}, x);
            }
        return;
    }
{% endmacro %}
