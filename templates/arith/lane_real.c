/* Arithmetic on one element per lane, real. The last arguments of BB_FMA say whether x and y are conjugated. The zero in
   BB_SCALE leaves a compiler that fuses multiplications and additions one way only to do it: see BB_ADD_OLD. */
typedef bb_real bb_scalar;
#define BB_IS_ZERO(s) ((s) == 0)
typedef bb_vec bb_elem;
#define BB_ZERO(x) (x) = BB_ZEROS
#define BB_GET(x, p, im) BB_LOAD(x, p)
#define BB_PUT(p, im, x) BB_STORE(p, x)
#define BB_FMA(acc, x, y, cx, cy) (acc) += (x) * (y)
#define BB_CONJ(x)
#define BB_ADD(acc, x) (acc) += (x)
#define BB_SCALE(x, s) (x) = BB_ZEROS + (x) * (s)
#define BB_AXPY(acc, s, x) (acc) += (s) * (x)
