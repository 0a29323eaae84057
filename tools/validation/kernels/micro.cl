// Loops whose cycles per iteration can be computed by hand from the machine's numbers. Work-groups
// of one vector (16 work-items), or of one work-item.

// Each result is the operand of the next operation.
kernel void fma_chain(global double *x, int n) {
    double sum = x[get_global_id(0)];
    for (int i = 0; i < n; ++i)
        sum = fma(sum, 0.5, 1.0);
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
// Banks are 16 bytes wide, and 32: every other element of every fourth bank, and all of one bank.
BANKS(banks_2, 8)
BANKS(banks_16, 64)

// The same in DDR.
kernel void chase_ddr(global int *x, int n) {
    int place = x[get_global_id(0)];
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

// Rows of 64 bytes that are 128 bytes apart.
kernel void dma_rows(global double8 *x, int n) {
    local double8 rows[512];
    event_t copied = async_work_group_strided_copy(rows, x, n, 2, 0);
    wait_group_events(1, &copied);
    x[0] = rows[1];
}

kernel void locks(global int *x, int n) {
    for (int i = 0; i < n; ++i)
        atomic_inc(x);
}

kernel void barriers(global int *x, int n) {
    local int shared[16];
    int own = get_local_id(0);
    shared[own] = x[own];
    for (int i = 0; i < n; ++i)
        barrier(CLK_LOCAL_MEM_FENCE);
    x[own] = shared[15 - own];
}
