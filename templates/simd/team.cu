/* A team: threads that share a matrix. They meet in BB_TEAM_SYNC, from where on each may read what others wrote before.
   In BB_TEAM_FIRST a 32-bit number becomes that of lane 0. */
{% set lanes = schedule.lanes %}
{% if lanes < 32 %}
#define BB_TEAM_MASK ({{ "0x%xu" | format(2 ** lanes - 1) }} << threadIdx.x % 32 / {{ lanes }} * {{ lanes }})
{% else %}
#define BB_TEAM_MASK 0xffffffffu
{% endif %}
{% if lanes <= 32 %}
#define BB_TEAM_SYNC() __syncwarp(BB_TEAM_MASK)
#define BB_TEAM_FIRST(x) (x) = __shfl_sync(BB_TEAM_MASK, x, 0, {{ lanes }})
{% else %}
#define BB_TEAM_SYNC() __syncthreads()
static BB_INLINE int bb_team_first(const int x)
{
    __shared__ int first;
    if (threadIdx.x == 0)
        first = x;
    __syncthreads();
    const int found = first;
    __syncthreads();
    return found;
}
#define BB_TEAM_FIRST(x) (x) = bb_team_first(x)
{% endif %}
