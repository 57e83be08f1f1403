/* All groups, or none where one is at fault and they are not to be left out. Returns 1 where a kernel had no memory. */
static int all_groups(const groups *g, int leave_out, int num_threads, int *fault)
{
    if (g->group_count == 1) { /* nothing to be sorted */
        problem p;
        *fault = problem_of_group(g, 0, &p);
        return *fault ? 0 : run_now(g, NULL, 0, 0, size_of_group(g, 0), num_threads);
    }
    small_block small;
    char *const block = block_of(&small, bytes_of_table(g->group_count));
    table kinds;
    if (block)
        kinds = empty_table(block, g->group_count);
    const survey s = surveyed(g, block ? &kinds : NULL);
    *fault = s.fault;
    const int status = s.fault && !leave_out ? 0 : run_groups(g, &s, num_threads);
    release(&small, block);
    return status;
}
