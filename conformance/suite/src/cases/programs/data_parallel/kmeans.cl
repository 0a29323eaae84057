#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

/* Coordinates of centroids are in units of 1/16. */
typedef struct {
    int2 place;
    uint points;
    uint unused;
} centroid;

typedef struct {
    long x, y;
    ulong points;
} total;

ulong distance_squared(short2 point, int2 place) {
    const long2 d = convert_long2(convert_int2(point) * 16 - place);
    return (ulong)(d.x * d.x + d.y * d.y);
}

/* Finds the nearest centroid of each point; sums points per group, then for all. */
kernel void assign(global const short *points, uint count, constant centroid *centroids,
                   global uchar *nearest, global total *totals) {
    local int sums_x[K], sums_y[K];
    local uint sizes[K];
    for (uint i = get_local_id(0); i < K; i += get_local_size(0)) {
        sums_x[i] = sums_y[i] = 0;
        sizes[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint item = get_global_id(0);
    if (item < count) {
        const short2 point = vload2(item, points);
        uint best = 0;
        ulong shortest = ULONG_MAX;
        for (uint i = 0; i < K; ++i) {
            const ulong here = distance_squared(point, centroids[i].place);
            best = here < shortest ? i : best;
            shortest = min(shortest, here);
        }
        nearest[item] = (uchar)best;
        atomic_add(&sums_x[best], point.x);
        atomic_add(&sums_y[best], point.y);
        atomic_inc(&sizes[best]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < K; i += get_local_size(0)) {
        if (sizes[i] == 0)
            continue;
        atom_add((volatile global long *)&totals[i].x, (long)sums_x[i]);
        atom_add((volatile global long *)&totals[i].y, (long)sums_y[i]);
        atom_add(&totals[i].points, (ulong)sizes[i]);
    }
}

/* Moves centroids to the middle of their points, and clears the sums. */
kernel void move_centroids(global centroid *centroids, global total *totals) {
    const size_t i = get_global_id(0);
    const total sum = totals[i];
    if (sum.points)
        centroids[i].place =
            (int2)((int)(sum.x * 16 / (long)sum.points), (int)(sum.y * 16 / (long)sum.points));
    centroids[i].points = (uint)sum.points;
    totals[i] = (total){0, 0, 0};
}
