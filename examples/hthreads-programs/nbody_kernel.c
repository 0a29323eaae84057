/* Accelerations of bodies that attract each other. A lane has one body; all others pass by from SM. */
#include "kernel.h"
#include <vector_math.h>

#define SOFTENING 0.01

__global__ void nbody(ulong barrier, ulong *spans, ulong n, double *bodies, double *accelerations)
{
    /* x, y, z and mass, one after the other. */
    double *all = scalar_malloc(4 * n * 8);
    lvector double *near = vector_malloc(3 * 128), *sums = vector_malloc(3 * 128);
    scalar_load(bodies, all, 4 * n * 8);
    BEGIN(barrier, spans);
    for (ulong block = first_of(n / LANES); block < last_of(n / LANES); block++) {
        dma_wait(dma_p2p(bodies + block * LANES, 3, 128, n * 8 - 128, near, 3, 128, 0, false, 0));
        lvector double x = near[0], y = near[1], z = near[2], ax, ay, az;
        ax = 0.0, ay = 0.0, az = 0.0;
        for (ulong j = 0; j < n; j++) {
            lvector double dx = all[j] - x, dy = all[n + j] - y, dz = all[2 * n + j] - z;
            lvector double square = dx * dx + dy * dy + dz * dz + SOFTENING;
            lvector double inverse = vm_frecd16(square * vm_sqrtd16(square));
            inverse *= all[3 * n + j];
            ax += dx * inverse;
            ay += dy * inverse;
            az += dz * inverse;
        }
        sums[0] = ax;
        sums[1] = ay;
        sums[2] = az;
        dma_wait(dma_p2p(sums, 3, 128, 0, accelerations + block * LANES, 3, 128, n * 8 - 128, false, 0));
    }
    END(spans);
    vector_free(sums);
    vector_free(near);
    scalar_free(all);
}
