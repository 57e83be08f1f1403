{% if schedule.form == "flat" %}
/* A vector holds columns, or whole matrices, as they follow one another in memory. */
{% elif schedule.form == "across" %}
/* A vector holds {{ width }} right-hand sides. */
{% elif schedule.form == "columns" %}
/* A vector holds {{ width }} rows of a column. */
{% else %}
/* A vector holds {{ width }} neighbouring reals of a column. */
{% if output.unit_rows %}
#define BB_COLUMN_LOAD(x, p) (x) = *(const bb_mem *)(p)
#define BB_COLUMN_STORE(p, x) *(bb_mem *)(p) = (x)
{% else %}
#define BB_COLUMN_LOAD(x, p) bb_gather(&(x), p, {{ output.rs }})
#define BB_COLUMN_STORE(p, x) bb_scatter(p, {{ output.rs }}, &(x))

static BB_INLINE void bb_gather(bb_vec *x, const bb_real *p, int64_t stride)
{
    bb_real lanes[{{ width }}] BB_ALIGNED;
    for (int q = 0; q < {{ width }}; q++)
        lanes[q] = p[q / {{ parts }} * {{ parts }} * stride + q % {{ parts }}];
    *x = *(const bb_vec *)lanes;
}

static BB_INLINE void bb_scatter(bb_real *p, int64_t stride, const bb_vec *x)
{
    bb_real lanes[{{ width }}] BB_ALIGNED;
    *(bb_vec *)lanes = *x;
    for (int q = 0; q < {{ width }}; q++)
        p[q / {{ parts }} * {{ parts }} * stride + q % {{ parts }}] = lanes[q];
}
{% endif %}
{% endif %}
