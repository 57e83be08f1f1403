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

/* A store past the caches, where one is known. */
#if defined(__x86_64__)
#define BB_STREAM(p, x) __asm__ volatile("{{ "movntps" if simd_bytes == 16 else "vmovntps" }} %1, %0" : "=m"(*(bb_vec *)(p)) : "{{ "v" if simd_bytes == 64 else "x" }}"(x))
#define BB_STREAMED __asm__ volatile("sfence" ::: "memory")
#else
#define BB_STREAM(p, x) *(bb_vec *)(p) = (x)
#define BB_STREAMED
#endif
enum { OVERWRITE, ADD, PAST_CACHES };

static inline __attribute__((always_inline)) void bb_add(const bb_real *a, const bb_real *b, bb_real *c, int64_t i, int64_t end, const int how)
{
    for (; i + {{ width * 4 }} <= end; i += {{ width * 4 }}) {
{% for v in range(4) %}
        const bb_vec sum{{ v }} = *(const bb_mem *)(a + i + {{ v * width }}) + *(const bb_mem *)(b + i + {{ v * width }});
        if (how == PAST_CACHES)
            BB_STREAM(c + i + {{ v * width }}, sum{{ v }});
        else
            *(bb_mem *)(c + i + {{ v * width }}) = how == ADD ? sum{{ v }} + *(bb_mem *)(c + i + {{ v * width }}) : sum{{ v }};
{% endfor %}
    }
    for (; i < end; i++)
        c[i] = a[i] + b[i] + (how == ADD ? c[i] : 0);
}

static void bb_part(const bb_real *a, const bb_real *b, bb_real *c, int64_t i, int64_t end, int how)
{
    if (how == OVERWRITE)
        bb_add(a, b, c, i, end, OVERWRITE);
    else if (how == ADD)
        bb_add(a, b, c, i, end, ADD);
    else {
        bb_add(a, b, c, i, end, PAST_CACHES);
        BB_STREAMED;
    }
}

/* c := a + b, or c := a + b + c, over `count` reals each, on `threads` threads; c begins on a cache line. */
void bb_stream(const bb_real *a, const bb_real *b, bb_real *c, int64_t count, int how, int threads)
{
#ifdef _OPENMP
    if (threads > 1) {
#pragma omp parallel num_threads(threads)
        {
            const int64_t t = omp_get_thread_num(), team = omp_get_num_threads(), share = count / team / 64 * 64;
            bb_part(a, b, c, share * t, t + 1 < team ? share * (t + 1) : count, how);
        }
        return;
    }
#endif
    (void)threads;
    bb_part(a, b, c, 0, count, how);
}

/* Puts `bytes` from p out of all caches. */
void bb_flush(const char *p, int64_t bytes)
{
#if defined(__CLFLUSHOPT__)
    for (int64_t i = 0; i < bytes; i += 64)
        __builtin_ia32_clflushopt(p + i);
    __builtin_ia32_mfence();
#elif defined(__SSE2__)
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
