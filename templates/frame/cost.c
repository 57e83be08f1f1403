{# What a matrix costs. #}
{% if unknown %}
#if defined(BB_POOL) || defined(_OPENMP)
/* Nanoseconds that one matrix takes, about: at 32 operations and 16 bytes in each. */
static double bb_cost(double {{ unknown | join(", double ") }})
{
    return ({{ flops }}) / 32 + ({{ bytes }}) / 16 + 1;
}
#endif

{% endif %}
