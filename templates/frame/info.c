{# What each matrix reports, to the caller's array; and what keeps the operands of those that failed, or reads them
   again. #}
{% if width > 1 %}
static BB_INLINE void bb_put_info(int32_t *to, const bb_ints *info, const int count)
{
    typedef int32_t numbers __attribute__((vector_size({{ width * 4 }}), aligned(4), may_alias));
    if (count == {{ width }})
        *(numbers *)to = __builtin_convertvector(*info, numbers);
    else
        for (int lane = 0; lane < count; lane++)
            to[lane] = (int32_t)(*info)[lane];
}
{% if kept or again %}

static BB_INLINE int bb_any(const bb_ints *info)
{
{% if bits == 512 %}
#if defined(__AVX512F__)
    unsigned short some;
    __asm__("vptestm{{ "q" if compute.bytes == 8 else "d" }} %1, %1, %0" : "=Yk"(some) : "v"(*info));
    return some != 0;
#else
{% endif %}
    bb_ints any = *info;
{% for distance, _, _ in butterflies(width) %}
    any |= BB_SHUFFLE(bb_ints, any, any, {% for lane in range(width) %}{{ (lane + distance) % width }}{{ ", " if not loop.last }}{% endfor %});
{% endfor %}
    return any[0] != 0;
{% if bits == 512 %}
#endif
{% endif %}
}
{% endif %}
{% if kept %}

/* Copies the reals of the matrices that failed, which lie `step` apart. */
static BB_NOINLINE void bb_keep(bb_real *to, int64_t to_step, const bb_real *from, int64_t step, int64_t reals,
                                const bb_ints *info, const int count)
{
    BB_OPAQUE(info);
    for (int lane = 0; lane < count; lane++)
        if ((*info)[lane])
            for (int64_t e = 0; e < reals; e++)
                to[e * to_step + lane] = from[e * step + lane];
}
{% endif %}
{% if again %}

/* Brings the matrices that failed to their lanes. */
static BB_NOINLINE void bb_again(bb_real *to, const bb_real *const *from, int64_t rows, int64_t cols, int64_t ld,
                                 const bb_ints *info)
{
    BB_OPAQUE(info);
    for (int lane = 0; lane < {{ width }}; lane++)
        if ((*info)[lane])
            for (int64_t c = 0; c < cols; c++)
                for (int64_t r = 0; r < rows; r++)
                    to[(c * rows + r) * {{ width }} + lane] = from[lane][c * ld + r];
}
{% endif %}
{% else %}
static BB_INLINE void bb_put_info(int32_t *to, const bb_ints *info)
{
    *to = *info;
}
{% endif %}
