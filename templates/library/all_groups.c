/* All groups, or none where one is at fault and they are not to be left out. Returns 1 where a kernel had no memory. */
static int all_groups(const groups *g, int leave_out, int num_threads, int *fault)
{
    if (g->group_count == 1) { /* nothing to be sorted */
        problem p;
        *fault = problem_of_group(g, 0, &p);
        return *fault ? 0 : run_now(g, NULL, 0, 0, size_of_group(g, 0), num_threads);
    }
    const survey s = surveyed(g, leave_out);
    *fault = s.fault;
    return s.fault && !leave_out ? 0 : run_groups(g, &s, num_threads);
}
