/* What all lanes of a team have together; each gets it. */
{% set warp, warps = least(schedule.lanes, 32), schedule.warps %}
{% set double = compute.bytes == 8 %}
{% set bits = "__double_as_longlong" if double else "__float_as_uint" %}
{% set magnitude = "0x7fffffffffffffff" if double else "0x7fffffff" %}
typedef {{ "uint64_t" if double else "uint32_t" }} bb_size;
/* Sizes in the order of their bits: what is no number is larger than all. */
#define BB_SIZE(x) ((bb_size){{ bits }}(x) & {{ magnitude }})
#define BB_NOWHERE 0x7fffffff
#define BB_LARGER_AT(largest, at, size, there)                                                                         \
    do {                                                                                                               \
        const int larger = (size) > (largest) || ((size) == (largest) && (there) < (at));                              \
        (largest) = larger ? (size) : (largest);                                                                       \
        (at) = larger ? (there) : (at);                                                                                \
    } while (0)
/* Where the largest size is: of equal ones the first. */
static BB_INLINE int bb_team_largest(bb_size largest, int at)
{
{% if warps %}
#if defined(CUDA_EMULATED) || __CUDA_ARCH__ >= 800
{% if double %}
    const uint32_t upper = (uint32_t)(largest >> 32), most = __reduce_max_sync(BB_TEAM_MASK, upper);
    const uint32_t lower = upper == most ? (uint32_t)largest : 0;
    const bb_size all = (bb_size)most << 32 | __reduce_max_sync(BB_TEAM_MASK, lower);
{% else %}
    const bb_size all = __reduce_max_sync(BB_TEAM_MASK, largest);
{% endif %}
    at = __reduce_min_sync(BB_TEAM_MASK, largest == all ? at : BB_NOWHERE);
    largest = all;
#else
{% endif %}
    BB_UNROLLED
    for (int distance = {{ warp // 2 }}; distance > 0; distance /= 2) {
        const bb_size other = __shfl_xor_sync(BB_TEAM_MASK, largest, distance);
        const int there = __shfl_xor_sync(BB_TEAM_MASK, at, distance);
        BB_LARGER_AT(largest, at, other, there);
    }
{% if warps %}
#endif
{% endif %}
{% if warps > 1 %}
    __shared__ bb_size sizes[{{ warps }}];
    __shared__ int places[{{ warps }}];
    if (threadIdx.x % 32 == 0) {
        sizes[threadIdx.x / 32] = largest;
        places[threadIdx.x / 32] = at;
    }
    BB_TEAM_SYNC();
    BB_UNROLLED
    for (int warp = 0; warp < {{ warps }}; warp++)
        BB_LARGER_AT(largest, at, sizes[warp], places[warp]);
{% endif %}
    return at;
}
