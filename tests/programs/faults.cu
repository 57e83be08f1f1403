/* Kernels that run, and how each goes wrong: `fault` chooses one of the names, which are numbers. */
#define UNLESS(name) if (fault != name)
#define WHERE(name) if (fault == name)

/* y[i] = x[n - 1 - i] + x[n - 2 - i], twice as many. */
extern "C" __global__ void block(const double *x, double *y, int fault)
{
    extern __shared__ double shared[];
    __shared__ double own[8];
    const int t = threadIdx.x, n = blockDim.x;
    shared[t] = x[t];
    WHERE(INDEX_OUT_OF_BOUNDS) own[t] = 1;
    WHERE(BEHIND_AN_ARRAY) { double *begin = own; begin[8 + t / 32] = 1; }
    WHERE(READ_BEFORE_WRITE) shared[t] += own[t % 8];
    UNLESS(BARRIER_REMOVED) __syncthreads();
    y[t] = shared[n - 1 - t];
    UNLESS(SECOND_BARRIER_REMOVED) __syncthreads();
    shared[t] = y[t];
    WHERE(BARRIER_NOT_REACHED) if (t == 3) __syncwarp();
    WHERE(BARRIER_IN_A_LOOP) for (int i = 0; i < t % 2; i++) __syncthreads();
    UNLESS(THIRD_BARRIER_REMOVED) __syncthreads();
    y[t] += shared[(t + 1) % n];
    WHERE(VECTOR_BEYOND_SHARED) y[t] += ((const double2 *)shared)[n / 2].x;
    WHERE(BEYOND_THE_ARRAY) y[t + n] = 1;
    WHERE(BEFORE_THE_ARRAY) y[t] = x[t - 1];
    WHERE(SAME_PLACE) y[t / 2] = 1;
    WHERE(MISALIGNED) y[0] = ((const double2 *)(x + t))->y;
}

/* A group of 8 lanes: each lane in turn hands its number to the others, through one of two places. */
extern "C" __global__ void group(const double *x, double *y, int fault)
{
    __shared__ double column[4][2];
    const int lane = threadIdx.x, g = lane / 8, r = lane % 8;
    const unsigned mask = 0xffu << 8 * g;
    double sum = 0;
    for (int j = 0; j < 8; j++) {
        double *place = &column[g][fault == ONE_PLACE ? 0 : j % 2];
        if (r == j)
            *place = x[lane];
        WHERE(NEIGHBOURS_PLACE) column[g ^ 1][j % 2] = x[lane];
        UNLESS(WARP_BARRIER_REMOVED) WHERE(ANOTHERS_MASK) __syncwarp(lane == 9 ? 0xffu : mask);
        UNLESS(WARP_BARRIER_REMOVED) UNLESS(ANOTHERS_MASK) __syncwarp(fault == TWO_MASKS && lane == 12 ? ~0u : mask);
        sum += *place;
        WHERE(ONE_PLACE) sum += 0 * __shfl_sync(mask, sum, 0, 8);
    }
    WHERE(SOURCE_OUTSIDE) sum += __shfl_sync(mask, sum, 0);
    WHERE(PARTNER_OUTSIDE) sum += __shfl_xor_sync(mask, sum, 8);
    WHERE(TRIP_COUNTS) for (int i = 0; i < 2 + (lane == 13); i++) sum += 0 * __shfl_xor_sync(mask, sum, 1, 8);
    WHERE(SOURCE_HAS_LEFT) if (r == 0) return;
    WHERE(SOURCE_HAS_LEFT) sum = __shfl_sync(mask, sum, 0, 8);
    WHERE(TWO_OPERATIONS) sum += lane == 5 ? __all_sync(mask, 1) : __any_sync(mask, 1);
    sum += __shfl_down_sync(mask, 0.0, 1, 8);
    WHERE(BAD_WIDTH) sum += __shfl_sync(mask, sum, 0, 6);
    y[lane] = sum;
}

/* Sums four rows, of which the next is under way while one is read. */
extern "C" __global__ void copies(const double *x, double *y, int fault)
{
    __shared__ double rows[2][WARP];
    const int t = threadIdx.x;
    double sum = 0;
    bb_copy_async8(&rows[0][t], x + t);
    bb_copy_async_commit();
    for (int i = 0; i < 4; i++) {
        if (i < 3) {
            bb_copy_async8(&rows[(i + 1) % 2][t], x + WARP * (i + 1) + t);
            UNLESS(COMMIT_REMOVED) bb_copy_async_commit();
        }
        WHERE(WRONG_WAIT) bb_copy_async_wait<2>();
        UNLESS(WAIT_REMOVED) UNLESS(WRONG_WAIT) if (i < 3) bb_copy_async_wait<1>(); else bb_copy_async_wait<0>();
        UNLESS(BARRIER_BEHIND_WAIT_REMOVED) __syncthreads();
        sum += rows[i % 2][WARP - 1 - t];
        UNLESS(BARRIER_BEFORE_COPY_REMOVED) __syncthreads();
    }
    WHERE(COPY_MISALIGNED) bb_copy_async16(&rows[0][t], x);
    WHERE(COPY_TO_GLOBAL) bb_copy_async8(y, x);
    y[t] = sum;
}

/* A warp looks for its largest number, and each lane adds two that its neighbour hands over as a vector. */
extern "C" __global__ void pivots(const double *x, double *y, int fault)
{
    __shared__ __align__(16) double rows[2 * WARP + 2];
    __shared__ unsigned found[WARP];
    const int lane = threadIdx.x;
    emulated_copy(rows + 2 * lane, x + lane);
    UNLESS(HALF_A_VECTOR) emulated_copy(rows + 2 * lane + 1, x + WARP + lane);
    UNLESS(ARRIVAL_REMOVED) emulated_copies_arrived();
    UNLESS(BARRIER_BEHIND_COPIES_REMOVED) __syncwarp();
    const double2 *const neighbour = (const double2 *)(rows + 2 * (lane ^ 1) + (fault == VECTOR_MISALIGNED));
    const double2 two = *neighbour;
    UNLESS(BARRIER_BEFORE_VECTOR_REMOVED) __syncwarp();
    *(double2 *)(rows + 2 * lane) = make_double2(two.y, two.x);
    WHERE(VECTORS_OVERLAP) rows[2 * (lane ^ 1)] = 0;
    found[lane] = (unsigned)two.x;
    UNLESS(REDUCTION_FOR_BARRIER) __syncwarp();
    WHERE(REDUCTION_MASK) __reduce_max_sync(lane == 9 ? 0xffu : ~0u, found[lane]);
    WHERE(REDUCTION_MASKS) __reduce_max_sync(lane < 16 ? 0xffffu : ~0u, found[lane]);
    WHERE(REDUCTION_SKIPPED) if (lane == 7) __syncwarp();
    WHERE(TWO_REDUCTIONS) lane == 5 ? __reduce_min_sync(~0u, 1u) : __reduce_max_sync(~0u, 1u);
    const unsigned most = __reduce_max_sync(~0u, found[lane]);
    y[lane] = two.x + two.y + most + found[lane ^ 2];
}

/* Threads count, and all see how far they came. */
extern "C" __global__ void counters(const double *x, double *y, int fault)
{
    __shared__ unsigned count;
    const int t = threadIdx.x;
    UNLESS(COUNTER_NOT_SET) if (t == 3) count = 0;
    UNLESS(BARRIER_BEFORE_COUNTER_REMOVED) __syncthreads();
    WHERE(COUNTER_NOT_ATOMIC) count += (unsigned)x[t];
    UNLESS(COUNTER_NOT_ATOMIC) atomicAdd(&count, (unsigned)x[t]);
    WHERE(COUNTER_OUTSIDE) atomicAdd((unsigned *)(y + WARP), 1u);
    UNLESS(BARRIER_BEHIND_COUNTER_REMOVED) __syncthreads();
    y[t] = count;
}

extern "C" __global__ void blocks(const double *x, double *y, int fault)
{
    y[blockIdx.x] = x[blockIdx.x];
    WHERE(TWO_BLOCKS_WRITE) y[blockIdx.x / 2] = 0;
    WHERE(ANOTHER_BLOCK_READS) y[blockIdx.x] += y[1];
    WHERE(ANOTHER_BLOCK_HAS_READ) y[gridDim.x - 1] += y[blockIdx.x];
}
