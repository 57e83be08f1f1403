/* Rotations of planes. A lane that is done gets the cosine 1 and the sine 0, and so is not disturbed. */
{% if complex %}
/* x := c x - s y, y := s x + c y, with a real sine and the tangent t of half the angle. */
#define BB_TURN(x, y, t, s)                                                                                            \
    do {                                                                                                               \
        BB_TURN_REAL((x).re, (y).re, t, s);                                                                            \
        BB_TURN_REAL((x).im, (y).im, t, s);                                                                            \
    } while (0)
{% else %}
/* x := c x - s y, y := s x + c y, with the tangent t of half the angle. */
#define BB_TURN(x, y, t, s) BB_TURN_REAL(x, y, t, s)
{% endif %}
/* Three shears are one product less than a rotation. */
#define BB_TURN_REAL(x, y, t, s)                                                                                       \
    do {                                                                                                               \
        (y) += (t) * (x);                                                                                              \
        (x) -= (s) * (y);                                                                                              \
        (y) += (t) * (x);                                                                                              \
    } while (0)
/* With a sine that is an element: x := c x - s y, y := s* x + c y. Where `cs`, s* is in the place of s and s
   in that of s*; where `cy`, y and x beside sines are conjugated, and s stands in both places. */
#define BB_TURN_BY(x, y, c, s, cs, cy)                                                                                 \
    do {                                                                                                               \
        const bb_elem before = x, behind = y;                                                                          \
        BB_SCALED(x, c);                                                                                               \
        BB_FMS(x, s, behind, cs, cy);                                                                                  \
        BB_SCALED(y, c);                                                                                               \
        BB_FMA(y, s, before, (cs) == (cy), cy);                                                                        \
    } while (0)

/* 1 / sqrt(x), x positive, normal and finite. */
static BB_INLINE void bb_inverse_root(bb_vec *y, const bb_vec *x)
{
    bb_vec root = *x, rough, excess;
    bb_root(&root, y, &rough, &excess);
}

/* The rotation that makes zero of an element of a symmetric 2 x 2 matrix, whose square is more than tiny where it is
   `on`; d is what the second diagonal element is more than the first. The sine is that element times `sine`; the first
   diagonal element becomes less by `shift`, the second more. Two inverse roots, no division. */
static BB_INLINE void bb_rotation(bb_vec *c, bb_vec *sine, bb_vec *shift, const bb_vec *d, const bb_vec *square,
                                  const bb_ints *on)
{
    const bb_vec size = BB_ABS(*d) * (bb_real)0.5;
    bb_vec h = BB_ZEROS + *d * *d, first, error, series, r, x, y;
    h += 4 * *square;
    BB_MAX(h, BB_ZEROS + BB_TINY);
    bb_parts_of_root(&first, &error, &series, &h);
    BB_OVER_ROOT(r, BB_ZEROS + 1, first, error, series);
    BB_OVER_ROOT(x, size, first, error, series);
    x += (bb_real)0.5;
    r = BB_SELECT(*d < 0, -r, r);
    bb_parts_of_root(&first, &error, &series, &x);
    BB_OVER_ROOT(*c, x, first, error, series);
    BB_OVER_ROOT(*sine, r, first, error, series);
    BB_OVER_ROOT(y, BB_ZEROS + 1, first, error, series);
    *c = BB_SELECT(*on, *c, BB_ZEROS + 1);
    *sine = BB_SELECT(*on, *sine, BB_ZEROS);
    *shift = BB_ZEROS + (*sine * y) * *square;
}
