{# What a matrix costs, and the pool that shares work out. #}
{% if unknown %}
#if defined(BB_POOL) || defined(_OPENMP)
/* Nanoseconds that one matrix takes, about: at 32 operations and 16 bytes in each. */
static double bb_cost(double {{ unknown | join(", double ") }})
{
    return ({{ flops }}) / 32 + ({{ bytes }}) / 16 + 1;
}
#endif

{% endif %}
#ifdef BB_POOL
/* The thread pool of a process that has one. */
void bblas_parallel(void (*part)(const void *arguments, int64_t lo, int64_t hi, int64_t share), const void *arguments,
                    size_t size, int64_t count, int64_t grain, int threads, double nanoseconds) __attribute__((weak));
