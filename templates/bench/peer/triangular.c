/* op(A) B or op(A)^-1 B is B' op(A') or B' op(A')^-1 of the transposed matrices: A' is upper triangular, on the right. */
void {{ letter }}{{ function }}_(bb_letter, bb_letter, bb_letter, bb_letter, bb_size, bb_size, const bb_real *, const bb_real *, bb_size, bb_real *, bb_size, size_t, size_t, size_t, size_t);
static void triangular(bb_letter trans, const bb_real *A, bb_real *B)
{
    const int m = LD_B, n = LD_A;
    {{ letter }}{{ function }}_("R", "U", trans, "N", &m, &n, ONE, A, &n, B, &m, 1, 1, 1, 1);
}
