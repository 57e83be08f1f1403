/* Rows or columns of the next tile of at most `most` where `rest` are left. */
static BB_INLINE int64_t bb_whole_step(const int64_t rest, const int64_t most)
{
    return rest < most ? rest : most;
}

/* The last two tiles share them evenly. */
static BB_INLINE int64_t bb_even_step(const int64_t rest, const int64_t most)
{
    return rest >= 2 * most ? most : rest > most ? (rest + 1) / 2 : rest;
}
