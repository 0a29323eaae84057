// Loops whose cycles per iteration can be computed by hand from the machine's numbers. Work-groups
// of one vector (16 work-items) if the table does not say otherwise; `n` counts what the loops repeat.

// Each result is the operand of the next operation.
kernel void fma_chain(global double *x, int n) {
    double sum = x[get_global_id(0)];
    for (int i = 0; i < n; ++i)
        sum = fma(sum, 0.5, 1.0);
    x[get_global_id(0)] = sum;
}

kernel void add_chain(global double *x, int n) {
    double sum = x[get_global_id(0)];
    for (int i = 0; i < n; ++i)
        sum += 1.5;
    x[get_global_id(0)] = sum;
}

kernel void integer_chain(global int *x, int n) {
    int number = x[get_global_id(0)];
    for (int i = 0; i < n; ++i)
        number = number * 1664525 ^ 12345;
    x[get_global_id(0)] = number;
}

kernel void conversion_chain(global double *x, int n) {
    double sum = x[get_global_id(0)];
    for (int i = 0; i < n; ++i)
        sum = (double)(int)sum * 0.75;
    x[get_global_id(0)] = sum;
}

kernel void division_chain(global double *x, int n) {
    double sum = x[get_global_id(0)];
    for (int i = 0; i < n; ++i)
        sum = 3.0 / sum;
    x[get_global_id(0)] = sum;
}

kernel void root_chain(global double *x, int n) {
    double sum = x[get_global_id(0)];
    for (int i = 0; i < n; ++i)
        sum = sqrt(sum);
    x[get_global_id(0)] = sum;
}

// 36 sums that do not depend on each other: twice the six rows and three columns of the GEMM papers'
// micro-kernel.
kernel void fma_independent(global double *x, int n) {
    double16 a = x[get_global_id(0)], b = a + 1.0;
    double4 c = a.s0123 + 2.0;
    for (int i = 0; i < n; ++i) {
        a = fma(a, (double16)(0.5), (double16)(1.0));
        b = fma(b, (double16)(0.5), (double16)(1.0));
        c = fma(c, (double4)(0.5), (double4)(1.0));
    }
    a += b;
    double8 d = a.lo + a.hi;
    double4 e = d.lo + d.hi + c;
    x[get_global_id(0)] = e.s0 + e.s1 + e.s2 + e.s3;
}

// The same number of floats, two in a register.
kernel void float_pairs(global float16 *x, int n) {
    float16 a = x[get_local_id(0)], b = x[16 + get_local_id(0)];
    float4 c = a.s0123 + 2.0f;
    for (int i = 0; i < n; ++i) {
        a = fma(a, (float16)(0.5f), (float16)(1.0f));
        b = fma(b, (float16)(0.5f), (float16)(1.0f));
        c = fma(c, (float4)(0.5f), (float4)(1.0f));
    }
    a += b;
    a.s0123 += c;
    x[get_local_id(0)] = a;
}

// Each address is loaded by the load before, from AM.
kernel void chase_am(global int *x, int n) {
    local int next[16];
    int place = get_local_id(0);
    next[place] = x[place];
    for (int i = 0; i < n; ++i)
        place = next[place];
    x[get_local_id(0)] = place;
}

// 16 loads in each iteration, of addresses that are STRIDE doubles apart.
#define BANKS(name, STRIDE)                                      \
    kernel void name(global double *x, int n) {                  \
        local double data[16 * STRIDE + 32];                     \
        int own = get_local_id(0);                               \
        for (int i = 0; i < STRIDE; ++i)                         \
            data[i * 16 + own] = x[i * 16 + own];                \
        barrier(CLK_LOCAL_MEM_FENCE);                            \
        double16 sum = 0;                                        \
        for (int i = 0; i < n; ++i) {                            \
            local const double *at = data + own * STRIDE;        \
            at += i & 15;                                        \
            sum += (double16)(at[0], at[1], at[2], at[3], at[4], \
                              at[5], at[6], at[7], at[8], at[9], \
                              at[10], at[11], at[12], at[13],    \
                              at[14], at[15]);                   \
        }                                                        \
        double8 half_sum = sum.lo + sum.hi;                      \
        double4 quarter = half_sum.lo + half_sum.hi;             \
        x[own] = quarter.x + quarter.y + quarter.z + quarter.w;  \
    }
// Banks are 16 bytes wide, and 32: all of one half, every fourth, every other element of every
// eighth, and all of one bank.
BANKS(banks_1, 1)
BANKS(banks_2, 8)
BANKS(banks_4, 16)
BANKS(banks_16, 64)

// The address is the same in all lanes.
kernel void broadcast_am(global double *x, int n) {
    local double data[32];
    int own = get_local_id(0);
    data[own] = data[own + 16] = x[own];
    barrier(CLK_LOCAL_MEM_FENCE);
    double16 sum = x[own];
    for (int i = 0; i < n; ++i) {
        local const double *at = data + (i & 15);
        sum += (double16)(at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8],
                          at[9], at[10], at[11], at[12], at[13], at[14], at[15]);
    }
    double8 half_sum = sum.lo + sum.hi;
    double4 quarter = half_sum.lo + half_sum.hi;
    x[own] = quarter.x + quarter.y + quarter.z + quarter.w;
}

// The same in DDR.
kernel void chase_ddr(global int *x, int n) {
    int place = get_local_id(0);
    for (int i = 0; i < n; ++i)
        place = x[place];
    x[get_global_id(0)] = place;
}

// Two lines for each vector of doubles.
kernel void stream_ddr(global double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i * 16 + get_local_id(0)];
    x[get_local_id(0)] = sum;
}

// Four lines, since every other double is loaded, and a line for each lane.
kernel void strided_ddr(global double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i * 16 + 2 * get_local_id(0)];
    x[get_local_id(0)] = sum;
}

kernel void column_ddr(global double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i + 16 * get_local_id(0)];
    x[get_local_id(0)] = sum;
}

kernel void store_ddr(global double *x, int n) {
    double own = x[get_local_id(0)];
    for (int i = 1; i <= n; ++i)
        x[i * 16 + get_local_id(0)] = own;
}

// Eight doubles in a line of the data cache.
kernel void scalar_ddr(global double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i];
    x[get_local_id(0)] = sum;
}

// Half of the lanes load: one line, or two if they are in both halves.
kernel void half_of_lanes(global double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        if (get_local_id(0) < 8)
            sum += x[i * 16 + get_local_id(0)];
    x[get_local_id(0)] = sum;
}

kernel void odd_lanes(global double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        if (get_local_id(0) & 1)
            sum += x[i * 16 + get_local_id(0)];
    x[get_local_id(0)] = sum;
}

// No lane loads.
kernel void no_lane(global int *x, int n) {
    int sum = 0, own = x[get_local_id(0)];
    for (int i = 0; i < n; ++i)
        if (own < 0)
            sum += x[i * 16 + get_local_id(0)];
        else
            sum += 3;
    x[get_local_id(0)] = sum;
}

// One row of that many bytes, waited for.
kernel void dma_bytes(global char *x, int n) {
    local char rows[32768];
    event_t copied = async_work_group_copy(rows, x, n, 0);
    wait_group_events(1, &copied);
    x[0] = rows[1];
}

kernel void dma_store(global char *x, int n) {
    local char rows[32768];
    rows[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t copied = async_work_group_copy(x, rows, n, 0);
    wait_group_events(1, &copied);
}

// Four rows at once.
kernel void dma_channels(global char *x, int n) {
    local char rows[4][16384];
    event_t copied[4];
    for (int i = 0; i < 4; ++i)
        copied[i] = async_work_group_copy(rows[i], x + i * 16384, n, 0);
    wait_group_events(4, copied);
    x[0] = rows[3][1];
}

// One row after another.
kernel void dma_arrays(global char *x, int n) {
    local char row[4096];
    for (int i = 0; i < n; ++i) {
        event_t copied = async_work_group_copy(row, x, 4096, 0);
        wait_group_events(1, &copied);
    }
    x[get_group_id(0)] = row[1];
}

// Rows of 64 bytes that are 128 bytes apart, from DDR and to it, and rows of 8 bytes.
kernel void dma_rows(global double8 *x, int n) {
    local double8 rows[512];
    event_t copied = async_work_group_strided_copy(rows, x, n, 2, 0);
    wait_group_events(1, &copied);
    x[0] = rows[1];
}

kernel void dma_scatter(global double8 *x, int n) {
    local double8 rows[512];
    rows[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t copied = async_work_group_strided_copy(x, rows, n, 2, 0);
    wait_group_events(1, &copied);
}

kernel void dma_elements(global double *x, int n) {
    local double rows[512];
    event_t copied = async_work_group_strided_copy(rows, x, n, 16, 0);
    wait_group_events(1, &copied);
    x[0] = rows[1];
}

// A block, row by row with one event.
kernel void dma_block(global char *x, int n) {
    local char block[64][256];
    event_t copied = 0;
    for (int i = 0; i < n; ++i)
        copied = async_work_group_copy(block[i & 63], x + i * 1024, 256, copied);
    wait_group_events(1, &copied);
    x[0] = block[1][0];
}

// A short transfer that is waited for.
kernel void dma_latency(global char *x, int n) {
    local char row[64];
    for (int i = 0; i < n; ++i) {
        event_t copied = async_work_group_copy(row, x, 64, 0);
        wait_group_events(1, &copied);
    }
    x[0] = row[1];
}

// More transfers than channels.
kernel void dma_eleven(global char *x, int n) {
    local char rows[11][4096];
    event_t copied[11];
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < 11; ++j)
            copied[j] = async_work_group_copy(rows[j], x + 4096 * j, 4096, 0);
        wait_group_events(11, copied);
    }
    x[0] = rows[10][1];
}

// A transfer that takes longer than the loop.
kernel void dma_behind(global char *x, int n) {
    local char row[8192];
    double sum = x[get_local_id(0)];
    event_t copied = async_work_group_copy(row, x, 8192, 0);
    for (int i = 0; i < n; ++i)
        sum = fma(sum, 0.5, 1.0);
    wait_group_events(1, &copied);
    x[get_local_id(0)] = sum + row[get_local_id(0)];
}

kernel void locks(global int *x, int n) {
    for (int i = 0; i < n; ++i)
        atomic_inc(x);
}

kernel void locks_of_all(global int *x, int n) {
    for (int i = 0; i < n; ++i)
        atomic_inc(x);
}

kernel void locks_of_lanes(global int *x, int n) {
    for (int i = 0; i < n; ++i)
        atomic_inc(x + get_local_id(0));
}

kernel void local_atomics(global int *x, int n) {
    local int count[16];
    count[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; ++i)
        atomic_inc(&count[get_local_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_local_id(0)] = count[15 - get_local_id(0)];
}

kernel void barriers(global int *x, int n) {
    local int shared[16];
    int own = get_local_id(0);
    shared[own] = x[own];
    for (int i = 0; i < n; ++i)
        barrier(CLK_LOCAL_MEM_FENCE);
    x[own] = shared[15 - own];
}

// Two barriers, whose waits belong to their lines.
kernel void exchange(global int *x, int n) {
    local int shared[16];
    int own = get_local_id(0);
    int value = x[own];
    for (int i = 0; i < n; ++i) {
        shared[own] = value;
        barrier(CLK_LOCAL_MEM_FENCE); // after writing
        value = shared[15 - own];
        barrier(CLK_LOCAL_MEM_FENCE); // after reading
    }
    x[own] = value;
}

// The GEMM papers' micro-kernel: 6 rows and 48 columns, a lane for each of 16 columns, K steps in a
// loop that does two in an iteration. `n` micro-kernels.
#define UNROLL __attribute__((opencl_unroll_hint))
#define MICRO(name, K)                                                        \
    kernel void name(global double *x, int n) {                               \
        local double a[K][6], b[K][48], c[6][48];                             \
        int own = get_local_id(0);                                            \
        for (int k = 0; k < K; ++k)                                           \
            for (int j = own; j < 48; j += 16) {                              \
                b[k][j] = x[j];                                               \
                if (j < 6)                                                    \
                    a[k][j] = c[j][own] = x[j + 48];                          \
            }                                                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                         \
        for (int r = 0; r < n; ++r) {                                         \
            double sum[6][3];                                                 \
            UNROLL for (int i = 0; i < 6; ++i)                                \
                UNROLL for (int j = 0; j < 3; ++j)                            \
                    sum[i][j] = c[i][16 * j + own];                           \
            for (int k = 0; k < K; k += 2)                                    \
                UNROLL for (int u = 0; u < 2; ++u)                            \
                    UNROLL for (int i = 0; i < 6; ++i)                        \
                        UNROLL for (int j = 0; j < 3; ++j)                    \
                            sum[i][j] = fma(a[k + u][i],                      \
                                            b[k + u][16 * j + own],           \
                                            sum[i][j]);                       \
            UNROLL for (int i = 0; i < 6; ++i)                                \
                UNROLL for (int j = 0; j < 3; ++j)                            \
                    c[i][16 * j + own] = sum[i][j];                           \
        }                                                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                         \
        x[own] = c[5][own + 32];                                              \
    }
MICRO(micro_64, 64)
MICRO(micro_512, 512)
MICRO(micro_1024, 1024)
