/* All groups, or none where one is at fault and they are not to be left out. Returns 1 where a kernel had no memory. */
static int all_groups(const groups *g, int leave_out, int num_threads, int *fault)
{
    if (g->group_count == 1) { /* nothing to be sorted */
        problem p;
        *fault = problem_of_group(g, 0, &p);
        return *fault ? 0 : run_now(g, NULL, 0, 0, size_of_group(g, 0), num_threads);
    }
    small_block small;
    char *const block = g->memory ? g->memory : block_of(&small, bytes_of_table(g->group_count));
    table kinds;
    if (block)
        kinds = empty_table(block, g->group_count);
    const survey s = surveyed(g, block ? &kinds : NULL);
    *fault = s.fault;
    const int status = s.fault && !leave_out ? 0 : run_groups(g, &s, num_threads);
    if (!g->memory)
        release(&small, block);
    return status;
}

/* The bytes that groups are sorted in. */
static int64_t bytes_to_sort(const groups *g)
{
    int64_t matrices = 0;
    for (int64_t i = 0; i < g->group_count && matrices < WINDOW; i++)
        matrices += size_of_group(g, i);
    const size_t window = bytes_of_window(room_in_window(matrices), room_for(g->group_count));
    return g->group_count > 1 ? rounded((int64_t)bytes_of_table(g->group_count)) + (int64_t)window : 0;
}

/* The bytes of scratch that the kernels of all groups need, one after another. */
static int64_t needed_by_groups(const groups *g, int *fault)
{
    int64_t most = 0;
    *fault = 0;
    for (int64_t i = 0; !*fault && i < g->group_count; i++) {
        problem p;
        *fault = problem_of_group(g, i, &p);
        const int64_t needed = *fault ? 0 : needed_pp(&p);
        most = needed > most ? needed : most;
    }
    return most;
}
