/* Rows or columns of the next tile of at most `most` where `rest` are left. */
static BB_INLINE int64_t bb_whole_step(const int64_t rest, const int64_t most)
{
    return rest < most ? rest : most;
}

/* The last three tiles share them evenly: narrow ones cost nearly as much as whole ones. */
static BB_INLINE int64_t bb_even_step(const int64_t rest, const int64_t most)
{
    if (rest >= 3 * most)
        return most;
    return rest > 2 * most ? (rest + 2) / 3 : rest > most ? (rest + 1) / 2 : rest;
}
