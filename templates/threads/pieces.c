/* Many calls as one, in windows: each is pieces of calls that were kept. */
typedef struct {
    const bblas_call *calls;
    const int64_t (*pieces)[3]; /* the call, and the matrices lo .. hi - 1 of its batch */
    const int64_t *windows;     /* where each begins in the pieces, and the end */
    int64_t count, batch;
} bblas_windows;

static void do_windows(const void *arguments, int64_t lo, int64_t hi, int64_t share)
{
    const bblas_windows *const all = arguments;
    const int64_t matrices = all->batch * share / all->count;
    for (int64_t i = all->windows[lo]; i < all->windows[hi]; i++) {
        const int64_t *const piece = all->pieces[i];
        all->calls[piece[0]].part(all->calls[piece[0]].arguments, piece[1], piece[2], matrices);
    }
}

/* Does `count` windows of a batch, on as many threads as bblas_parallel would. */
int bblas_pieces(const bblas_call *calls, const int64_t (*pieces)[3], const int64_t *windows, int64_t count,
                 int64_t batch, int threads, double nanoseconds)
{
    const bblas_windows all = { calls, pieces, windows, count, batch };
    if (threads == 1)
        do_windows(&all, 0, count, count);
    else
        bblas_parallel(do_windows, &all, sizeof all, count, 1, threads, nanoseconds);
    return 0;
}
