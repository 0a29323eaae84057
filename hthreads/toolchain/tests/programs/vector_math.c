/* Functions of libvm: those of the table, and those with other types. */
#define TABLE "vector_math.table.h"
#include <vector_math.h>
#include "lanes.device.h"
#include <math.h>

static double positive(int lane) { return 0.0625 + lane * 0.375; }

/* Powers of two. The host has the functions of one lane. */
__global__ void exponents(int *failed)
{
    lvector double a, scaled;
    lvector signed int exponents, binary, powers;
    for (int lane = 0; lane < 16; lane++) {
        a[lane] = positive(lane) * (lane % 2 ? -1 : 1);
        powers[lane] = lane - 7;
    }
    exponents = vm_ilogbd16(a);
    binary = vm_expfrexpd16(a);
    scaled = vm_ldexpd16(a, powers);
    for (int lane = 0; lane < 16; lane++)
        if (exponents[lane] != (int)floor(log2(fabs(a[lane]))) || binary[lane] != exponents[lane] + 1
            || scaled[lane] != a[lane] * pow(2, lane - 7))
            failed[get_thread_id()] = __LINE__;
}

/* Special values follow C99, and denormal numbers count as zero. */
__global__ void special_values(int *failed)
{
    lvector double a, found;
    const double values[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 0x1p-1060, -0x1p-1060, 1.0};
    for (int lane = 0; lane < 16; lane++)
        a[lane] = values[lane % 8];
    found = vm_expd16_u10(a);
    if (found[0] != 1 || found[1] != 1 || !isinf(found[2]) || found[3] != 0 || !isnan(found[4]) || found[5] != 1)
        failed[get_thread_id()] = __LINE__;
    found = vm_logd16_u10(a);
    if (!isinf(found[0]) || !isinf(found[2]) || !isnan(found[3]) || !isnan(found[4]) || found[7] != 0)
        failed[get_thread_id()] = __LINE__;
    found = vm_atand16_u35(a);
    if (found[0] != 0 || fabs(found[2] - M_PI_2) > 1e-15 || fabs(found[3] + M_PI_2) > 1e-15 || !isnan(found[4]))
        failed[get_thread_id()] = __LINE__;
    lvector_double2 parts = vm_modfd16(a);
    if (!isinf(parts.x[2]) || parts.y[2] != 0 || parts.x[7] != 1 || parts.y[7] != 0)
        failed[get_thread_id()] = __LINE__;
}
