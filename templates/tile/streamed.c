{# What bodies of long vectors share: parts of a vector in memory, and elements that lie apart. #}
static BB_NOINLINE void bb_get_part(bb_vec *x, const bb_real *p, const int64_t reals)
{
    bb_real lanes[{{ width }}] BB_ALIGNED = { 0 };
    for (int64_t q = 0; q < reals; q++)
        lanes[q] = p[q];
    *x = *(const bb_vec *)lanes;
}

static BB_NOINLINE void bb_put_part(bb_real *p, const bb_vec *x, const int64_t reals)
{
    bb_real lanes[{{ width }}] BB_ALIGNED;
    *(bb_vec *)lanes = *x;
    for (int64_t q = 0; q < reals; q++)
        p[q] = lanes[q];
}

/* The next vector of which so many reals are left: zeros beyond. */
static BB_INLINE void bb_get(bb_vec *x, const bb_real *p, const int64_t left)
{
    if (left >= {{ width }})
        *x = *(const bb_mem *)p;
    else
        bb_get_part(x, p, left);
}

static BB_INLINE void bb_put(bb_real *p, const bb_vec *x, const int64_t left)
{
    if (left >= {{ width }})
        *(bb_mem *)p = *x;
    else
        bb_put_part(p, x, left);
}

/* So many reals of elements that lie `step` reals apart, side by side, and back. */
static BB_INLINE void bb_fetch(bb_real *to, const bb_real *from, const int64_t step, const int64_t reals)
{
{% if complex %}
    for (int64_t i = 0; i < reals; i += 2, from += step) {
        to[i] = from[0];
        to[i + 1] = from[1];
    }
{% else %}
    for (int64_t i = 0; i < reals; i++, from += step)
        to[i] = *from;
{% endif %}
}

static BB_INLINE void bb_bring(bb_real *to, const bb_real *from, const int64_t step, const int64_t reals)
{
{% if complex %}
    for (int64_t i = 0; i < reals; i += 2, to += step) {
        to[0] = from[i];
        to[1] = from[i + 1];
    }
{% else %}
    for (int64_t i = 0; i < reals; i++, to += step)
        *to = from[i];
{% endif %}
}

/* Sums of lanes, pairwise, to the first. */
static BB_INLINE void bb_fold(bb_real *lanes)
{
    for (int half = {{ stream.line // 2 }}; half >= {{ parts }}; half /= 2)
        for (int q = 0; q < half; q++)
            lanes[q] += lanes[q + half];
}
