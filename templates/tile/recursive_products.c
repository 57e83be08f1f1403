{# The kernels of products that it calls. #}
/* The kernels that it calls. A process that loads each by itself hands their addresses over. */
#ifdef BB_GIVEN
{% for need in needs %}
static int (*bb_need_{{ loop.index0 }})({{ need.parameters }});
{% endfor %}

void {{ symbol }}_given(void *const *kernels)
{
{% for need in needs %}
    memcpy(&bb_need_{{ loop.index0 }}, kernels + {{ loop.index0 }}, sizeof(void *));
{% endfor %}
}
#else
{% for need in needs %}
int {{ need.symbol }}({{ need.parameters }});
#define bb_need_{{ loop.index0 }} {{ need.symbol }}
#ifdef BB_WORK
int64_t {{ need.symbol }}_work({{ need.parameters }}, char *work);
#define bb_need_{{ loop.index0 }}_work {{ need.symbol }}_work
#endif
{% endfor %}
#endif
