/* What this core and its memory can do at most, measured beside the kernels. */
#include <stdint.h>
#ifdef _OPENMP
#include <omp.h>
#endif

typedef {{ real }} bb_real;
typedef bb_real bb_vec __attribute__((vector_size({{ simd_bytes }})));
typedef bb_real bb_mem __attribute__((vector_size({{ simd_bytes }}), aligned({{ real_bytes }}), may_alias));

/* `steps` times {{ sums }} independent fused multiply-adds of {{ width }} reals; the result depends on all of them. */
double bb_peak(int64_t steps)
{
    bb_vec x = (bb_vec){0} + (bb_real)0.999;
{% for i in range(sums) %}
    bb_vec sum{{ i }} = x * {{ i }};
{% endfor %}
    for (int64_t step = 0; step < steps; step++) {
{% for i in range(sums) %}
        sum{{ i }} = sum{{ i }} * x + x;
{% endfor %}
    }
{% for i in range(1, sums) %}
    sum0 += sum{{ i }};
{% endfor %}
    double total = 0;
    for (int lane = 0; lane < {{ width }}; lane++)
        total += sum0[lane];
    return total;
}

static void bb_add(const bb_real *a, const bb_real *b, bb_real *c, int64_t i, int64_t end)
{
    for (; i + {{ width * 4 }} <= end; i += {{ width * 4 }}) {
{% for v in range(4) %}
        *(bb_mem *)(c + i + {{ v * width }}) = *(const bb_mem *)(a + i + {{ v * width }}) + *(const bb_mem *)(b + i + {{ v * width }});
{% endfor %}
    }
    for (; i < end; i++)
        c[i] = a[i] + b[i];
}

/* c := a + b over `count` reals each, on `threads` threads. */
void bb_stream(const bb_real *a, const bb_real *b, bb_real *c, int64_t count, int threads)
{
#ifdef _OPENMP
    if (threads > 1) {
#pragma omp parallel num_threads(threads)
        {
            const int64_t t = omp_get_thread_num(), team = omp_get_num_threads();
            bb_add(a, b, c, count * t / team, count * (t + 1) / team);
        }
        return;
    }
#endif
    (void)threads;
    bb_add(a, b, c, 0, count);
}

/* Puts `bytes` from p out of all caches. */
void bb_flush(const char *p, int64_t bytes)
{
#if defined(__SSE2__)
    for (int64_t i = 0; i < bytes; i += 64)
        __builtin_ia32_clflush(p + i);
    __builtin_ia32_mfence();
#elif defined(__aarch64__)
    for (int64_t i = 0; i < bytes; i += 64)
        __asm__ volatile("dc civac, %0" ::"r"(p + i) : "memory");
    __asm__ volatile("dsb ish" ::: "memory");
#else
#error "no instruction known that empties the caches of this architecture"
#endif
}
