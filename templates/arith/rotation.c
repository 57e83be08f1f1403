/* Rotations of planes. A lane that is done gets the cosine 1 and the sine 0, and so is not disturbed. */
{# The zeros leave compilers one way to fuse. #}
{% if complex %}
#define BB_SCALED(x, s)                                                                                                \
    do {                                                                                                               \
        (x).re = BB_ZEROS + (x).re * (s);                                                                              \
        (x).im = BB_ZEROS + (x).im * (s);                                                                              \
    } while (0)
/* x := c x - s y, y := s x + c y, with a real sine. */
#define BB_TURN(x, y, c, s)                                                                                            \
    do {                                                                                                               \
        BB_TURN_REAL((x).re, (y).re, c, s);                                                                            \
        BB_TURN_REAL((x).im, (y).im, c, s);                                                                            \
    } while (0)
{% else %}
#define BB_SCALED(x, s) (x) = BB_ZEROS + (x) * (s)
/* x := c x - s y, y := s x + c y. */
#define BB_TURN(x, y, c, s) BB_TURN_REAL(x, y, c, s)
{% endif %}
#define BB_TURN_REAL(x, y, c, s)                                                                                       \
    do {                                                                                                               \
        const bb_vec first = x, second = y;                                                                            \
        (x) = BB_ZEROS + first * (c);                                                                                  \
        (x) -= (s) * second;                                                                                           \
        (y) = BB_ZEROS + second * (c);                                                                                 \
        (y) += (s) * first;                                                                                            \
    } while (0)
/* The same with a sine that is an element: x := c x - s y, y := s* x + c y. Where `cs`, s* is in the place of s and s
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
    bb_vec h = BB_ZEROS + *d * *d, r, y;
    h += 4 * *square;
    h = BB_SELECT(*on, h, BB_ZEROS + 1);
    bb_inverse_root(&r, &h);
    const bb_vec part = BB_ZEROS + BB_ABS(*d) * r;
    const bb_vec x = BB_SELECT(*on, part * (bb_real)0.5 + (bb_real)0.5, BB_ZEROS + 1);
    bb_inverse_root(&y, &x);
    const bb_vec size = BB_SELECT(*on, r * y, BB_ZEROS);
    *sine = BB_SELECT(*d < 0, -size, size);
    *c = BB_SELECT(*on, x * y, BB_ZEROS + 1);
    *shift = BB_ZEROS + (*sine * y) * *square;
}
