// Micro-benchmarks of what the machine's parts perform at most: mod.rs has their sizes.

// 24 independent chains of fused products: as many as keep all units busy in spite of their latency.
#define CHAINS 24
#define ROUNDS 512

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define PRODUCTS(name, type)                                  \
    kernel void name(global type *out, type x)                \
    {                                                         \
        type own = (type)get_local_id(0) / 1024;              \
        type chain[CHAINS];                                   \
        _Pragma("unroll")                                     \
        for (int k = 0; k < CHAINS; ++k)                      \
            chain[k] = own + k;                               \
        for (int i = 0; i < ROUNDS; ++i) {                    \
            _Pragma("unroll")                                 \
            for (int k = 0; k < CHAINS; ++k)                  \
                chain[k] = fma(chain[k], x, own);             \
        }                                                     \
        type sum = 0;                                         \
        _Pragma("unroll")                                     \
        for (int k = 0; k < CHAINS; ++k)                      \
            sum += chain[k];                                  \
        out[get_global_id(0)] = sum;                          \
    }

PRODUCTS(products_float, float)
PRODUCTS(products_double, double)

// A group reads its part of DDR by DMA, through two buffers.
#define TILE 16384
#define TILES 32

kernel void read_by_dma(global const float *in, global float *out)
{
    local float tile[2][TILE];
    event_t copied[2];
    global const float *part = in + get_group_id(0) % 8 * (TILE * TILES);
    copied[0] = async_work_group_copy(tile[0], part, TILE, 0);
    for (int k = 0; k < TILES; ++k) {
        wait_group_events(1, &copied[k % 2]);
        if (k + 1 < TILES)
            copied[(k + 1) % 2] = async_work_group_copy(tile[(k + 1) % 2], part + (k + 1) * TILE, TILE, 0);
    }
    out[get_global_id(0)] = tile[0][get_local_id(0)];
}

// Consecutive elements by the code's own loads and stores.
kernel void copy_by_code(global const double *in, global double *out)
{
    int i = get_global_id(0);
    out[i] = in[i];
}

// Loads of AM: each work-item sums a column.
#define ROWS 256
#define COLUMNS 64
#define COLUMN_SUMS 16

kernel void read_local_memory(global double *out)
{
    local double rows[ROWS * COLUMNS];
    int column = get_local_id(0);
    for (int row = 0; row < ROWS; ++row)
        rows[row * COLUMNS + column] = row;
    barrier(CLK_LOCAL_MEM_FENCE);
    double sum[COLUMN_SUMS] = {0};
    for (int round = 0; round < 16; ++round) {
        for (int row = 0; row < ROWS; row += COLUMN_SUMS) {
            _Pragma("unroll")
            for (int k = 0; k < COLUMN_SUMS; ++k)
                sum[k] += rows[(row + k) * COLUMNS + column];
        }
    }
    double all = 0;
    _Pragma("unroll")
    for (int k = 0; k < COLUMN_SUMS; ++k)
        all += sum[k];
    out[get_global_id(0)] = all;
}

kernel void nothing(void)
{
}

// One transfer of a line after the other.
kernel void short_transfers(global const float *in, global float *out)
{
    local float line[16];
    for (int k = 0; k < 1000; ++k) {
        event_t copied = async_work_group_copy(line, in + k * 16, 16, 0);
        wait_group_events(1, &copied);
    }
    out[get_global_id(0)] = line[0];
}

kernel void barriers(global float *out)
{
    local float shared[64];
    int own = get_local_id(0);
    shared[own] = own;
    for (int k = 0; k < 1000; ++k) {
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[own] += 1;
    }
    out[get_global_id(0)] = shared[own];
}

kernel void atomics(global int *out)
{
    for (int k = 0; k < 1000; ++k)
        atomic_inc(&out[0]);
}
