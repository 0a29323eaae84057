#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Conjugate gradients for a sparse matrix with at most WIDE elements a row (ELLPACK). Scalars
 * stay on the device. */
typedef struct {
    double residual; /* r . r of this iteration */
    double alpha;
    double beta;
} scalars;

double group_sum(double mine, local double *partial) {
    const uint item = get_local_id(0);
    partial[item] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = GROUP >> 1; i != 0; i >>= 1) {
        if (item < i)
            partial[item] += partial[item + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return partial[0];
}

/* q = A p, and the groups' parts of p . q */
kernel void multiply(global const int *columns, global const double *values,
                     global const double *p, global double *q, global double *parts) {
    local double partial[GROUP];
    const uint row = get_global_id(0), rows = get_global_size(0);
    double sum = 0;
#pragma unroll
    for (uint i = 0; i < WIDE; i++) {
        const int column = columns[i * rows + row];
        if (column >= 0)
            sum = fma(values[i * rows + row], p[column], sum);
    }
    q[row] = sum;
    const double whole = group_sum(sum * p[row], partial);
    if (get_local_id(0) == 0)
        parts[get_group_id(0)] = whole;
}

double sum_of_parts(global const double *parts, uint count, local double *partial) {
    double sum = 0;
    for (uint i = get_local_id(0); i < count; i += GROUP)
        sum += parts[i];
    return group_sum(sum, partial);
}

/* One group: alpha from p . q, or beta from the new r . r. */
kernel void set_alpha(global const double *parts, uint count, global scalars *s) {
    local double partial[GROUP];
    const double pq = sum_of_parts(parts, count, partial);
    if (get_local_id(0) == 0)
        s->alpha = s->residual / pq;
}

kernel void set_beta(global const double *parts, uint count, global scalars *s) {
    local double partial[GROUP];
    const double residual = sum_of_parts(parts, count, partial);
    if (get_local_id(0) == 0) {
        s->beta = s->residual > 0 ? residual / s->residual : 0.0;
        s->residual = residual;
    }
}

/* x += alpha p, r -= alpha q, and the groups' parts of r . r */
kernel void improve(global const scalars *s, global const double *p, global const double *q,
                    global double *x, global double *r, global double *parts) {
    local double partial[GROUP];
    const uint i = get_global_id(0);
    x[i] += s->alpha * p[i];
    r[i] -= s->alpha * q[i];
    const double whole = group_sum(r[i] * r[i], partial);
    if (get_local_id(0) == 0)
        parts[get_group_id(0)] = whole;
}

kernel void turn(global const scalars *s, global const double *r, global double *p) {
    const uint i = get_global_id(0);
    p[i] = r[i] + s->beta * p[i];
}
