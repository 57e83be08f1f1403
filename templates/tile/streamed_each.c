{# What is done to each element of a long vector, which threads share in pieces. #}
#define BB_UNITS bb_units({{ body.size.n }})
static BB_INLINE int64_t bb_units(const int64_t n)
{
    return (n + {{ schedule.block - 1 }}) / {{ schedule.block }};
}
