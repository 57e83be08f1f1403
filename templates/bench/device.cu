/* What benchmarks on a GPU need beside kernels: the limits, and data for batches of any size. Words have 32 bits. */
#define THREADS {{ threads }}
#define AT ((long long)blockIdx.x * THREADS + threadIdx.x)

/* Bandwidth: a block copies {{ copies }} * THREADS vectors of 16 bytes. */
extern "C" __global__ void __launch_bounds__({{ threads }}) bb_copy(const double2 *from, double2 *to, long long count)
{
    const long long first = (long long)blockIdx.x * ({{ copies }} * THREADS) + threadIdx.x;
    double2 x[{{ copies }}];
#pragma unroll
    for (int i = 0; i < {{ copies }}; i++)
        if (first + i * THREADS < count)
            x[i] = from[first + i * THREADS];
#pragma unroll
    for (int i = 0; i < {{ copies }}; i++)
        if (first + i * THREADS < count)
            to[first + i * THREADS] = x[i];
}

/* The peak: {{ sums }} independent sums in each thread. */
{% for letter, real in reals.items() %}
extern "C" __global__ void __launch_bounds__({{ threads }}) bb_{{ letter }}fma({{ real }} *found, long long steps)
{
    {{ real }} x[{{ sums }}];
    const {{ real }} a = ({{ real }})0.999, b = ({{ real }})threadIdx.x;
#pragma unroll
    for (int i = 0; i < {{ sums }}; i++)
        x[i] = ({{ real }})i;
    for (long long step = 0; step < steps; step++) {
#pragma unroll
        for (int i = 0; i < {{ sums }}; i++)
            x[i] = x[i] * a + b;
    }
    {{ real }} sum = 0;
#pragma unroll
    for (int i = 0; i < {{ sums }}; i++)
        sum += x[i];
    if (sum == ({{ real }})-1) /* never, but no compiler knows */
        *found = sum;
}

{% endfor %}
/* Row by row: the first numbers again and again, \p period of them; rows are \p pitch apart. */
extern "C" __global__ void __launch_bounds__({{ threads }}) bb_repeat(unsigned *to, long long pitch, const unsigned *from,
                                                                long long period, long long count)
{
    if (AT < count)
        to[blockIdx.y * pitch + AT] = from[blockIdx.y * period + AT % period];
}

/* Whether numbers differ from the first ones. */
extern "C" __global__ void __launch_bounds__({{ threads }}) bb_differ(const unsigned *x, long long pitch,
                                                                const unsigned *first, long long period,
                                                                long long count, unsigned *found)
{
    if (AT < count && x[blockIdx.y * pitch + AT] != first[blockIdx.y * period + AT % period])
        atomicOr(found, 1u);
}
