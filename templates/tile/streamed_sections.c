{# How op(A) is cut: into sections of its columns, of which sums are made by themselves, and into rows. #}
/* By how many bits the sections of a row are counted, which are added one after another: that depends on n alone. */
static BB_INLINE int bb_sections(const int64_t n)
{
    int bits = 0;
    while (bits < {{ stream.most_sections }} && n > (int64_t){{ stream.section }} << bits)
        bits++;
    return bits;
}

/* Where a section begins: where a block of columns does. */
static BB_INLINE int64_t bb_section(const int64_t n, const int64_t section, const int bits)
{
    const int64_t blocks = (n + {{ stream.block_columns - 1 }}) / {{ stream.block_columns }};
    const int64_t begin = (blocks * section >> bits) * {{ stream.block_columns }};
    return begin < n ? begin : n;
}

/* Rows that a thread takes as a unit, where these are `step` reals apart: all of a small matrix; as many as there is
   room for of columns that are contiguous, or what is read in advance of each is lost; few that are long. */
static BB_INLINE int64_t bb_side(const int64_t m, const int64_t n, const int64_t step)
{
    if ((double)m * (double)n < {{ stream.small }})
        return m > 0 ? m : 1;
    if (step == {{ parts }})
        return bb_sections(n) ? {{ stream.tall }} : {{ stream.low }};
    return n > {{ stream.long_row }} ? {{ stream.rows | length }} : {{ stream.side }};
}

static BB_INLINE int64_t bb_row_units(const int64_t m, const int64_t n, const int64_t step)
{
    const int64_t side = bb_side(m, n, step);
{% for some in (stream.tall, stream.low, stream.side) %}
    if (side == {{ some }} && side < m)
        return (m + {{ some - 1 }}) / {{ some }}; /* divisions by numbers that compilers know */
{% endfor %}
    return side < m ? (m + side - 1) / side : 1;
}

/* By how many bits sections are counted that are units of their own: of columns that are contiguous, or few rows. */
static BB_INLINE int bb_divided(const int64_t m, const int64_t n, const int64_t step)
{
    const int few = n > {{ stream.long_row }} && m < {{ stream.side }};
    return (step == {{ parts }} || few) && (double)m * (double)n >= {{ stream.small }} ? bb_sections(n) : 0;
}

/* Reals from the sums of a section to those of the next. */
static BB_INLINE int64_t bb_apart(const int64_t m)
{
    return (m{{ " * 2" if complex }} + {{ stream.line - 1 }}) / {{ stream.line }} * {{ stream.line }};
}

/* How many passes of the columns of a block go by together: of a matrix that comes from memory those whose columns
   hardware follows; one, where all share so few sets of a level-1 cache that these hold no more; else all. */
static BB_INLINE int bb_together(const int64_t m, const int64_t n, const int64_t cs)
{
    const int64_t beyond = (cs * (int64_t)sizeof(bb_real) + 64) % {{ stream.page }};
    const int shared = {{ "0 && " if not stream.crowded }}beyond <= 128;
    return (double)m * (double)n > {{ schedule.far }} ? 2 : shared ? 1 : {{ stream.passes }};
}

/* Reals that all sums of sections take, which threads share, or for which the stack has not room enough. */
static BB_INLINE int64_t bb_room(const int64_t m, const int64_t n, const int64_t rs, const int alone)
{
    const int bits = bb_divided(m, n, rs);
    if (!bits || (alone && m <= {{ stream.most(2) }}))
        return 0;
    return bb_apart(m) * {{ parts }} << bits;
}
