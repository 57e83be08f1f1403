{# Rows of A exchanged as IPIV says, one after another or backwards, each with one below it: in registers where
   they are few, but not on GPUs, where all is in memory that caches have; unless a thread has it alone. #}
{% from "tile/exchange.c" import exchange with context %}
{% from "tile/exchange_turned.c" import exchange_turned with context %}
{% set A, IPIV = body.views %}
{% set m, n, k = body.size.m, body.size.n, least(body.size.k, body.size.m, less=1) %}
{% set places = turned(m, n) %}
{% set constant = body.tile.unroll > 1 %}
{# Rows in registers, x0.., exchanged one after another. #}
{% macro exchanged() %}
{% for p in numbers(k, body.backwards) %}
        {
            const bb_elem top = x{{ p }};
            bb_mask taken;
{% for i in range(p + 1, m) %}
            BB_EQUAL(taken, at{{ p }}, BB_ZEROS + {{ i + 1 }});
            BB_TAKE_ELEM(x{{ p }}, taken, x{{ i }});
            BB_TAKE_ELEM(x{{ i }}, taken, top);
{% endfor %}
        }
{% endfor %}
{% endmacro %}
{% macro column_by_column() %}
{% if constant %}
    BB_UNROLL({{ n }})
{% endif %}
    for (int64_t j = 0; j < {{ n }}; j++) {
        bb_elem {% for i in range(m) %}x{{ i }}{{ ", " if not loop.last }}{% endfor %};
{% for i in range(m) %}
        BB_GET(x{{ i }}, A + {{ A.at(i, "j") }}, {{ A.im }});
{% endfor %}
{{ exchanged() }}
{% for i in range(m) %}
        BB_PUT(A + {{ A.at(i, "j") }}, {{ A.im }}, x{{ i }});
{% endfor %}
    }
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% if not k %}
    /* the last row has none below it */
{% elif k is number and m is number and m * parts <= 16 and (width > 1 or constant) %}
    bb_vec {% for p in range(k) %}at{{ p }}{{ ", " if not loop.last }}{% endfor %};
{% for p in range(k) %}
    BB_GET_INDEX(at{{ p }}, IPIV + {{ IPIV.at(p, 0) }});
{% endfor %}
{% if places %}
#if defined(__AVX512F__)
{% call exchange_turned(A, m, n, places) %}
{{ exchanged() }}
{% endcall %}
#else
{{ column_by_column() }}
#endif
{% else %}
{{ column_by_column() }}
{% endif %}
{% else %}
    for (int64_t j = 0; j < {{ n }}; j++)
{% if body.backwards %}
        for (int64_t p = {{ (k, -1) | index }}; p >= 0; p--)
{%- else %}
        for (int64_t p = 0; p < {{ k }}; p++)
{%- endif %} {
            const int32_t *const with = IPIV + {{ IPIV.at("p", 0) }};
{{ exchange(A, m, "p", "j", "with", 1) }}
        }
{% endif %}
}
