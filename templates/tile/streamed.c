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

{% if width > 1 %}
typedef {{ compute.integer }} bb_places __attribute__((vector_size({{ width * compute.bytes }})));

/* The first lanes of a vector that ends where memory does: it is read from before, and turned. */
static BB_INLINE void bb_get_end(bb_vec *x, const bb_real *p, const int64_t left)
{
{% if width <= stream.straight %}
{% for count in range(1, width) %}
    {{ "else " if not loop.first }}{{ "if (left == " ~ count ~ ")" if not loop.last }}
        *x = (bb_vec){ {% for q in range(count) %}p[{{ q }}]{{ ", " if not loop.last }}{% endfor %} };
{% endfor %}
{% else %}
    const bb_vec read = *(const bb_mem *)(p + left - {{ width }});
    const bb_places lane = { {{ lane_numbers | join(", ") }} };
#if defined(__clang__)
    bb_real lanes[{{ stream.twice }}] BB_ALIGNED = { 0 };
    *(bb_vec *)lanes = read;
    const bb_vec turned = *(const bb_mem *)(lanes + {{ width }} - left);
#else
    const bb_vec turned = __builtin_shuffle(read, lane + ({{ compute.integer }})({{ width }} - left));
#endif
    *x = (bb_vec)((bb_places)turned & (lane < ({{ compute.integer }})left));
{% endif %}
}

{% endif %}
/* The next vector of which so many reals are left, zeros beyond; `within`: there are others before it. */
static BB_INLINE void bb_get(bb_vec *x, const bb_real *p, const int64_t left, const int within)
{
    if (left >= {{ width }})
        *x = *(const bb_mem *)p;
{% if width > 1 %}
    else if (within)
        bb_get_end(x, p, left);
{% endif %}
    else
        bb_get_part(x, p, left);
{% if width == 1 %}
    (void)within;
{% endif %}
}

/* The reals before a cache line begins, of at least so many: vectors behind them lie in one line each. */
static BB_INLINE int64_t bb_before(const bb_real *p, const int64_t reals, const int64_t least)
{
    return reals < least ? 0 : -(int64_t)((uintptr_t)p / sizeof(bb_real)) & {{ width - parts }};
}

/* The last vector of so many reals, which overlaps the one before: it is read before that is written. */
static BB_INLINE void bb_get_last(bb_vec *x, const bb_real *p, const int64_t reals)
{
    if (reals >= {{ width }})
        *x = *(const bb_mem *)(p + reals - {{ width }});
    else
        bb_get_part(x, p, reals);
}

static BB_INLINE void bb_put_last(bb_real *p, const bb_vec *x, const int64_t reals)
{
    if (reals >= {{ width }})
        *(bb_mem *)(p + reals - {{ width }}) = *x;
    else
        bb_put_part(p, x, reals);
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

/* The sums of the vectors of a cache line, pairwise, in the first lanes. */
static BB_INLINE void bb_fold(bb_vec *const x)
{
{% for low, high in stream.added %}
    x[{{ low }}] += x[{{ high }}];
{% endfor %}
{% for lanes in stream.folds %}
    x[0] += BB_SHUFFLE(bb_mask{{ width }}, x[0], x[0], {{ lanes | join(", ") }});
{% endfor %}
}
