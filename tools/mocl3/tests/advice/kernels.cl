// Pairs of kernels: `..._before` has a defect that `mocl3 advise` has to find, `..._after` has the remedy.

#define ROW 64

kernel void rows_before(global const float *a, global float *sums, int n)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int j = 0; j < ROW; ++j)
        sum += a[i * ROW + j];
    sums[i] = sum;
}

kernel void rows_after(global const float *a, global float *sums, int n)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int j = 0; j < ROW; ++j)
        sum += a[j * n + i];
    sums[i] = sum;
}

struct particle {
    float x, y, z, mass, vx, vy, vz, charge;
};

kernel void structs_before(global const float *a, global float *energy, int n)
{
    int i = get_global_id(0);
    global const struct particle *p = (global const struct particle *)a + i;
    energy[i] = 0.5f * p->mass * p->vx * p->vx;
}

kernel void structs_after(global const float *a, global float *energy, int n)
{
    int i = get_global_id(0);
    energy[i] = 0.5f * a[3 * n + i] * a[4 * n + i] * a[4 * n + i];
}

#define PART 1024
#define PARTS 4

kernel void stream_before(global const float *a, global float *b, int n)
{
    int first = get_group_id(0) * PART * PARTS;
    for (int i = get_local_id(0); i < PART * PARTS; i += get_local_size(0))
        b[first + i] = 3.0f * a[first + i] + 1.0f;
}

kernel void stream_after(global const float *a, global float *b, int n)
{
    local float part[2][PART];
    event_t in[2], out[2];
    int first = get_group_id(0) * PART * PARTS;
    in[0] = async_work_group_copy(part[0], a + first, PART, 0);
    for (int k = 0; k < PARTS; ++k) {
        int current = k % 2;
        if (k + 1 < PARTS) {
            if (k > 0)
                wait_group_events(1, &out[1 - current]);
            in[1 - current] = async_work_group_copy(part[1 - current], a + first + (k + 1) * PART, PART, 0);
        }
        wait_group_events(1, &in[current]);
        for (int i = get_local_id(0); i < PART; i += get_local_size(0))
            part[current][i] = 3.0f * part[current][i] + 1.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[current] = async_work_group_copy(b + first + k * PART, part[current], PART, 0);
    }
    wait_group_events(2, out);
}

float polynomial(float x)
{
    float y = 0;
    for (int i = 0; i < 8; ++i)
        y = y * x + 0.5f;
    return y;
}

kernel void buffers_before(global const float *a, global float *b, int n)
{
    local float part[PART];
    float sum = 0;
    int first = get_group_id(0) % 256 * PART * PARTS;
    for (int k = 0; k < PARTS; ++k) {
        event_t in = async_work_group_copy(part, a + first + k * PART, PART, 0);
        wait_group_events(1, &in);
        for (int i = get_local_id(0); i < PART; i += get_local_size(0))
            sum += polynomial(part[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    b[get_global_id(0)] = sum;
}

kernel void buffers_after(global const float *a, global float *b, int n)
{
    local float part[2][PART];
    event_t in[2];
    float sum = 0;
    int first = get_group_id(0) % 256 * PART * PARTS;
    in[0] = async_work_group_copy(part[0], a + first, PART, 0);
    for (int k = 0; k < PARTS; ++k) {
        int current = k % 2;
        wait_group_events(1, &in[current]);
        if (k + 1 < PARTS)
            in[1 - current] = async_work_group_copy(part[1 - current], a + first + (k + 1) * PART, PART, 0);
        for (int i = get_local_id(0); i < PART; i += get_local_size(0))
            sum += polynomial(part[current][i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    b[get_global_id(0)] = sum;
}

kernel void transfers_before(global const float *a, global float *b, int n)
{
    local float part[PART];
    event_t in = 0;
    int first = get_group_id(0) * PART;
    for (int row = 0; row < PART / 16; ++row)
        in = async_work_group_copy(part + row * 16, a + first + row * 16, 16, in);
    wait_group_events(1, &in);
    float sum = 0;
    for (int i = get_local_id(0); i < PART; i += get_local_size(0))
        sum += part[i];
    b[get_global_id(0)] = sum;
}

kernel void transfers_after(global const float *a, global float *b, int n)
{
    local float part[PART];
    int first = get_group_id(0) * PART;
    event_t in = async_work_group_copy(part, a + first, PART, 0);
    wait_group_events(1, &in);
    float sum = 0;
    for (int i = get_local_id(0); i < PART; i += get_local_size(0))
        sum += part[i];
    b[get_global_id(0)] = sum;
}

#define ELEMENTS_OF_GROUP 8192

kernel void tiles_before(global const float *a, global float *b, int n)
{
    local float tile[64];
    float sum = 0;
    int first = get_group_id(0) % 128 * ELEMENTS_OF_GROUP;
    for (int start = 0; start < ELEMENTS_OF_GROUP; start += 64) {
        event_t in = async_work_group_copy(tile, a + first + start, 64, 0);
        wait_group_events(1, &in);
        for (int i = get_local_id(0); i < 64; i += get_local_size(0))
            sum += tile[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    b[get_global_id(0)] = sum;
}

kernel void tiles_after(global const float *a, global float *b, int n)
{
    local float tile[4096];
    float sum = 0;
    int first = get_group_id(0) % 128 * ELEMENTS_OF_GROUP;
    for (int start = 0; start < ELEMENTS_OF_GROUP; start += 4096) {
        event_t in = async_work_group_copy(tile, a + first + start, 4096, 0);
        wait_group_events(1, &in);
        for (int i = get_local_id(0); i < 4096; i += get_local_size(0))
            sum += tile[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    b[get_global_id(0)] = sum;
}

#define SOURCES 2048

// Each work-item loads all sources, as in an N-body problem.
kernel void sources_before(global const float *a, global float *b, int n)
{
    float place = b[get_global_id(0)], sum = 0;
    for (int source = 0; source < SOURCES; ++source) {
        float distance = a[source] - place;
        sum += distance * distance;
    }
    b[get_global_id(0)] = sum;
}

kernel void sources_after(global const float *a, global float *b, int n)
{
    local float sources[SOURCES];
    event_t in = async_work_group_copy(sources, a, SOURCES, 0);
    wait_group_events(1, &in);
    float place = b[get_global_id(0)], sum = 0;
    for (int source = 0; source < SOURCES; ++source) {
        float distance = sources[source] - place;
        sum += distance * distance;
    }
    b[get_global_id(0)] = sum;
}

float iterate(float x, int times)
{
    for (int i = 0; i < times; ++i)
        x = x * x * 0.25f + 0.5f;
    return x;
}

// Launched with groups of 256, then of 128 work-items.
kernel void groups_before(global const float *a, global float *b, int n)
{
    int i = get_global_id(0);
    b[i] = iterate(a[i], 8000);
}

// Array i of 24 has the groups of remainder i.
kernel void remainders_before(global const float *a, global float *b, int n)
{
    int i = get_global_id(0);
    b[i] = iterate(a[i], 40 * (get_group_id(0) % 24));
}

kernel void remainders_after(global const float *a, global float *b, int n)
{
    int i = get_global_id(0), group = get_group_id(0);
    b[i] = iterate(a[i], 40 * ((group + group / 24) % 24));
}

kernel void branches_before(global const float *a, global float *b, int n)
{
    int i = get_global_id(0);
    b[i] = a[i];
    if (i % 4 == 0)
        b[i] = iterate(a[i], 400);
}

kernel void branches_after(global const float *a, global float *b, int n)
{
    int i = get_global_id(0);
    b[i] = a[i];
    if (get_local_id(0) < get_local_size(0) / 4)
        b[i] = iterate(a[i], 400);
}

kernel void atomics_before(global const float *a, global int *b, int n)
{
    int i = get_global_id(0);
    atomic_add(b, a[i] > 0.5f);
}

kernel void atomics_after(global const float *a, global int *b, int n)
{
    local int sum;
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, a[get_global_id(0)] > 0.5f);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(b, sum);
}

kernel void launches_before(global const float *a, global float *b, int n)
{
    int i = get_global_id(0);
    b[i] = b[i] * 0.5f + a[i];
}

kernel void launches_after(global const float *a, global float *b, int n)
{
    int i = get_global_id(0);
    for (int step = 0; step < 20; ++step)
        b[i] = b[i] * 0.5f + a[i];
}
