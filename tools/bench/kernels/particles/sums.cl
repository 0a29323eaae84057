// Potentials of atoms at the points of a lattice with PER_UNIT points per unit, up to a cutoff of
// CELL points. Atoms lie in cells of CELL x CELL x CELL points, SLOTS in each, with empty cells
// around the lattice; unused slots have no charge. A group takes a cell, a work-item four points.
#define CELL 8
#define SLOTS 8
#define PER_UNIT 2.0f
kernel void cutoff_potential(global const float4 *atoms, global float *potential, int cells,
                             float inverse_cutoff_squared)
{
    local float4 near[SLOTS];
    int lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
    int item = (lz * CELL + ly) * CELL + lx;
    int x = get_global_id(0), y = get_global_id(1), z = get_group_id(2) * CELL + lz * 4;
    int row = cells + 2;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int neighbour = 0; neighbour < 27; neighbour++) {
        int cell_x = get_group_id(0) + neighbour % 3;
        int cell_y = get_group_id(1) + neighbour / 3 % 3;
        int cell_z = get_group_id(2) + neighbour / 9;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < SLOTS)
            near[item] = atoms[((cell_z * row + cell_y) * row + cell_x) * SLOTS + item];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int slot = 0; slot < SLOTS && near[slot].w != 0.0f; slot++) {
            float dx = near[slot].x - x / PER_UNIT, dy = near[slot].y - y / PER_UNIT;
            float flat = dx * dx + dy * dy;
            for (int i = 0; i < 4; i++) {
                float dz = near[slot].z - (z + i) / PER_UNIT;
                float squared = flat + dz * dz;
                float rest = 1.0f - squared * inverse_cutoff_squared;
                if (rest > 0.0f)
                    sum[i] += near[slot].w * rsqrt(squared) * rest * rest;
            }
        }
    }
    int width = cells * CELL;
    for (int i = 0; i < 4; i++)
        potential[((z + i) * width + y) * width + x] = sum[i];
}

typedef struct {
    float x, y, z, magnitude;
} sample;

// Sums of waves from samples in the Fourier space at each point.
kernel void waves(global const float *x, global const float *y, global const float *z,
                  constant sample *samples, global float *real, global float *imaginary, int count)
{
    int i = get_global_id(0);
    float sum_real = 0.0f, sum_imaginary = 0.0f;
    for (int k = 0; k < count; k++) {
        float phase = 6.2831853f * (samples[k].x * x[i] + samples[k].y * y[i] + samples[k].z * z[i]);
        sum_real += samples[k].magnitude * cos(phase);
        sum_imaginary += samples[k].magnitude * sin(phase);
    }
    real[i] = sum_real;
    imaginary[i] = sum_imaginary;
}

#define GROUP 128
#define BINS 32

// How many pairs of points have their product between two limits, which descend: found by
// bisection, counted in local memory.
kernel void pair_histogram(global const float *x, global const float *y, global const float *z,
                           constant float *limits, global uint *counts, int points)
{
    local float4 tile[GROUP];
    local uint bins[BINS];
    int item = get_local_id(0), i = get_global_id(0);
    if (item < BINS)
        bins[item] = 0;
    float px = x[i], py = y[i], pz = z[i];
    for (int start = 0; start < points; start += GROUP) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[item] = (float4)(x[start + item], y[start + item], z[start + item], 0.0f);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < GROUP; j++) {
            if (start + j <= i)
                continue;
            float product = px * tile[j].x + py * tile[j].y + pz * tile[j].z;
            int low = 0, high = BINS;
            while (high > low + 1) {
                int middle = (low + high) / 2;
                if (product >= limits[middle])
                    high = middle;
                else
                    low = middle;
            }
            atomic_inc(&bins[low]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < BINS)
        atomic_add(&counts[item], bins[item]);
}
