#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Eigenvalues and vectors of a symmetric N x N matrix by Jacobi's rotations: N / 2 at once, the
 * pairs by a round robin. One group of N / 2 work-items per matrix. */
#define HALF (N / 2)

typedef struct {
    uint p, q;
    double cosine, sine;
} rotation;

/* The pairs of a round robin: all indices but the last rotate. */
uint player(uint seat, uint round) { return seat == N - 1 ? N - 1 : (seat + round) % (N - 1); }

void turn_rows(local double (*m)[N], local const rotation *all) {
    for (uint pair = 0; pair < HALF; pair++) {
        const rotation r = all[pair];
        for (uint j = get_local_id(0); j < N; j += HALF) {
            const double a = m[r.p][j], b = m[r.q][j];
            m[r.p][j] = r.cosine * a - r.sine * b;
            m[r.q][j] = r.sine * a + r.cosine * b;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

void turn_columns(local double (*m)[N], const rotation r) {
    for (uint i = 0; i < N; i++) {
        const double a = m[i][r.p], b = m[i][r.q];
        m[i][r.p] = r.cosine * a - r.sine * b;
        m[i][r.q] = r.sine * a + r.cosine * b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void eigenvalues(global const double *matrices, global double *values, global double *vectors,
                        uint sweeps) {
    local double m[N][N], v[N][N];
    local rotation all[HALF];
    const uint item = get_local_id(0), matrix = get_group_id(0);
    for (uint i = item; i < N * N; i += HALF) {
        m[i / N][i % N] = matrices[matrix * N * N + i];
        v[i / N][i % N] = i / N == i % N;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint sweep = 0; sweep < sweeps; sweep++)
        for (uint round = 0; round < N - 1; ++round) {
            rotation r;
            r.p = player(item, round);
            r.q = player(N - 1 - item, round);
            const double off = m[r.p][r.q];
            r.cosine = 1;
            r.sine = 0;
            if (fabs(off) > 1e-300) {
                const double theta = (m[r.q][r.q] - m[r.p][r.p]) / (2 * off);
                const double t = copysign(1.0, theta) / (fabs(theta) + hypot(theta, 1.0));
                r.cosine = rsqrt(t * t + 1);
                r.sine = t * r.cosine;
            }
            all[item] = r;
            barrier(CLK_LOCAL_MEM_FENCE);
            turn_rows(m, all);
            turn_columns(m, r);
            turn_columns(v, r);
        }
    for (uint i = item; i < N; i += HALF)
        values[matrix * N + i] = m[i][i];
    for (uint i = item; i < N * N; i += HALF)
        vectors[matrix * N * N + i] = v[i / N][i % N];
}
