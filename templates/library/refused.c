{# What functions of vendors' libraries, which return nothing, write to standard error. #}
static inline void refused(const char *routine, int argument)
{
    fprintf(stderr, " ** On entry to %s parameter number %2d had an illegal value\n", routine, argument);
}

static inline void without_memory(const char *routine)
{
    fprintf(stderr, " ** %s had no memory for scratch: some matrices are not done\n", routine);
}
