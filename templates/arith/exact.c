/* The upper half of the bits of x, so that products of halves are exact. */
static BB_INLINE void bb_upper(bb_vec *upper, const bb_vec *x)
{
    BB_BITS(all, *x);
    BB_OF_BITS(*upper, (all + {{ stored.rounding }}) & ~{{ stored.lower }});
}

/* x y, rounded, and what it lacks: all products of halves are exact, so it is the same to fuse them or not; the zero
   leaves a compiler one way to fuse the rounded one. */
static BB_INLINE void bb_exact(bb_vec *product, bb_vec *lack, const bb_vec *x, const bb_vec *y)
{
    bb_vec xu, yu;
    bb_upper(&xu, x);
    bb_upper(&yu, y);
    const bb_vec xl = *x - xu, yl = *y - yu;
    *product = BB_ZEROS + *x * *y;
    *lack = xu * yu - *product;
    *lack += xu * yl;
    *lack += xl * yu;
    *lack += xl * yl;
}
