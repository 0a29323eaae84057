/* Each function of libvm compared with the C library's of one lane, which are computed in double precision. */
#include "hthread_device.h"
#include <math.h>
#include <vector_math.h>

/* Arguments of a lane: within (-1, 1), above 1, positive, and of both signs. */
static double unit(int lane) { return (lane - 15.5) / 17; }
static double above(int lane) { return 1.25 + lane * 0.75; }
static double positive(int lane) { return 0.0625 + lane * 0.375; }
static double any(int lane) { return (lane - 14.25) * 0.3125; }

static double mantissa(double x)
{
    for (; fabs(x) >= 1; x /= 2) {
    }
    for (; x != 0 && fabs(x) < 0.5; x *= 2) {
    }
    return x;
}

/* Half turns are taken away exactly. */
static double sine_of_pi(double x)
{
    double rest = x - 2 * rint(x / 2);
    if (fabs(rest) > 0.5)
        rest = copysign(1, rest) - rest;
    return sin(M_PI * rest);
}

/* The distance to the next number of a precision. */
static double ulp_of(double x, double epsilon) { return fabs(x) / mantissa(fabs(x)) / 2 * epsilon; }

static double next_double(double x, double y) { return x + (y > x ? 1 : -1) * ulp_of(x, 0x1p-52); }
static double next_float(double x, double y) { return x + (y > x ? 1 : -1) * ulp_of(x, 0x1p-23); }

/* Errors that two results may have, relative to the expected one. */
static int differ(double found, double expected, double tolerance)
{
    return !(fabs(found - expected) <= tolerance * (fabs(expected) > 1e-3 ? fabs(expected) : 1e-3));
}

#define TOLERANCE_double 4e-15
#define TOLERANCE_float 4e-7
#define LANES(type) (int)(1024 / 8 / sizeof(type))

#define ONE(type, arguments, function, expected)                               \
    {                                                                          \
        lvector type a, found;                                                 \
        for (int lane = 0; lane < LANES(type); lane++)                         \
            a[lane] = (type)arguments(lane);                                   \
        found = function(a);                                                   \
        for (int lane = 0; lane < LANES(type); lane++) {                       \
            double x = a[lane];                                                \
            if (differ(found[lane], (type)(expected), TOLERANCE_##type))       \
                failed[get_thread_id()] = __LINE__;                            \
        }                                                                      \
    }
#define TWO(type, arguments, function, expected)                               \
    {                                                                          \
        lvector type a, b, found;                                              \
        for (int lane = 0; lane < LANES(type); lane++) {                       \
            a[lane] = (type)arguments(lane);                                   \
            b[lane] = (type)any(31 - lane);                                    \
        }                                                                      \
        found = function(a, b);                                                \
        for (int lane = 0; lane < LANES(type); lane++) {                       \
            double x = a[lane], y = b[lane];                                   \
            if (differ(found[lane], (type)(expected), TOLERANCE_##type))       \
                failed[get_thread_id()] = __LINE__;                            \
        }                                                                      \
    }
#define THREE(type, function, expected)                                        \
    {                                                                          \
        lvector type a, b, c, found;                                           \
        for (int lane = 0; lane < LANES(type); lane++) {                       \
            a[lane] = (type)any(lane);                                         \
            b[lane] = (type)unit(lane);                                        \
            c[lane] = (type)above(lane);                                       \
        }                                                                      \
        found = function(a, b, c);                                             \
        for (int lane = 0; lane < LANES(type); lane++) {                       \
            double x = a[lane], y = b[lane], z = c[lane];                      \
            if (differ(found[lane], (type)(expected), TOLERANCE_##type))       \
                failed[get_thread_id()] = __LINE__;                            \
        }                                                                      \
    }
#define PAIR(type, arguments, function, first, second)                         \
    {                                                                          \
        lvector type a;                                                        \
        for (int lane = 0; lane < LANES(type); lane++)                         \
            a[lane] = (type)arguments(lane);                                   \
        lvector_##type##2 found = function(a);                                 \
        for (int lane = 0; lane < LANES(type); lane++) {                       \
            double x = a[lane];                                                \
            if (differ(found.x[lane], (type)(first), TOLERANCE_##type)         \
                || differ(found.y[lane], (type)(second), TOLERANCE_##type))    \
                failed[get_thread_id()] = __LINE__;                            \
        }                                                                      \
    }

__global__ void all_functions(int *failed)
{
    ONE(double, any, vm_sind16_u10, sin(x))
    ONE(float, any, vm_sinf32_u10, sin(x))
    ONE(double, any, vm_sind16_u35, sin(x))
    ONE(float, any, vm_sinf32_u35, sin(x))
    ONE(double, any, vm_cosd16_u10, cos(x))
    ONE(float, any, vm_cosf32_u10, cos(x))
    ONE(double, any, vm_cosd16_u35, cos(x))
    ONE(float, any, vm_cosf32_u35, cos(x))
    ONE(double, any, vm_tand16_u10, tan(x))
    ONE(float, any, vm_tanf32_u10, tan(x))
    ONE(double, any, vm_tand16_u35, tan(x))
    ONE(float, any, vm_tanf32_u35, tan(x))
    ONE(double, any, vm_sinpid16_u05, sine_of_pi(x))
    ONE(float, any, vm_sinpif32_u05, sine_of_pi(x))
    ONE(double, any, vm_cospid16_u05, sine_of_pi(x + 0.5))
    ONE(float, any, vm_cospif32_u05, sine_of_pi(x + 0.5))
    ONE(double, unit, vm_asind16_u10, asin(x))
    ONE(float, unit, vm_asinf32_u10, asin(x))
    ONE(double, unit, vm_asind16_u35, asin(x))
    ONE(float, unit, vm_asinf32_u35, asin(x))
    ONE(double, unit, vm_acosd16_u10, acos(x))
    ONE(float, unit, vm_acosf32_u10, acos(x))
    ONE(double, unit, vm_acosd16_u35, acos(x))
    ONE(float, unit, vm_acosf32_u35, acos(x))
    ONE(double, any, vm_atand16_u10, atan(x))
    ONE(float, any, vm_atanf32_u10, atan(x))
    ONE(double, any, vm_atand16_u35, atan(x))
    ONE(float, any, vm_atanf32_u35, atan(x))
    TWO(double, any, vm_atan2d16_u10, atan2(x, y))
    TWO(float, any, vm_atan2f32_u10, atan2(x, y))
    TWO(double, any, vm_atan2d16_u35, atan2(x, y))
    TWO(float, any, vm_atan2f32_u35, atan2(x, y))
    ONE(double, any, vm_sinhd16_u10, sinh(x))
    ONE(float, any, vm_sinhf32_u10, sinh(x))
    ONE(double, any, vm_sinhd16_u35, sinh(x))
    ONE(float, any, vm_sinhf32_u35, sinh(x))
    ONE(double, any, vm_coshd16_u10, cosh(x))
    ONE(float, any, vm_coshf32_u10, cosh(x))
    ONE(double, any, vm_coshd16_u35, cosh(x))
    ONE(float, any, vm_coshf32_u35, cosh(x))
    ONE(double, any, vm_tanhd16_u10, tanh(x))
    ONE(float, any, vm_tanhf32_u10, tanh(x))
    ONE(double, any, vm_tanhd16_u35, tanh(x))
    ONE(float, any, vm_tanhf32_u35, tanh(x))
    ONE(double, any, vm_asinhd16_u10, asinh(x))
    ONE(float, any, vm_asinhf32_u10, asinh(x))
    ONE(double, above, vm_acoshd16_u10, acosh(x))
    ONE(float, above, vm_acoshf32_u10, acosh(x))
    ONE(double, unit, vm_atanhd16_u10, atanh(x))
    ONE(float, unit, vm_atanhf32_u10, atanh(x))
    ONE(double, positive, vm_logd16_u10, log(x))
    ONE(float, positive, vm_logf32_u10, log(x))
    ONE(double, positive, vm_logd16_u35, log(x))
    ONE(float, positive, vm_logf32_u35, log(x))
    ONE(double, positive, vm_log10d16_u10, log10(x))
    ONE(float, positive, vm_log10f32_u10, log10(x))
    ONE(double, positive, vm_log2d16_u10, log2(x))
    ONE(float, positive, vm_log2f32_u10, log2(x))
    ONE(double, positive, vm_log1pd16_u10, log1p(x))
    ONE(float, positive, vm_log1pf32_u10, log1p(x))
    ONE(double, any, vm_expd16_u10, exp(x))
    ONE(float, any, vm_expf32_u10, exp(x))
    ONE(double, any, vm_exp2d16_u10, exp2(x))
    ONE(float, any, vm_exp2f32_u10, exp2(x))
    ONE(double, any, vm_exp10d16_u10, pow(10.0, x))
    ONE(float, any, vm_exp10f32_u10, pow(10.0, x))
    ONE(double, any, vm_expm1d16_u10, expm1(x))
    ONE(float, any, vm_expm1f32_u10, expm1(x))
    ONE(double, positive, vm_sqrtd16, sqrt(x))
    ONE(float, positive, vm_sqrtf32, sqrt(x))
    ONE(double, positive, vm_sqrtd16_u05, sqrt(x))
    ONE(float, positive, vm_sqrtf32_u05, sqrt(x))
    ONE(double, positive, vm_sqrtd16_u35, sqrt(x))
    ONE(float, positive, vm_sqrtf32_u35, sqrt(x))
    ONE(double, any, vm_cbrtd16_u10, cbrt(x))
    ONE(float, any, vm_cbrtf32_u10, cbrt(x))
    ONE(double, any, vm_cbrtd16_u35, cbrt(x))
    ONE(float, any, vm_cbrtf32_u35, cbrt(x))
    TWO(double, any, vm_hypotd16_u05, hypot(x, y))
    TWO(float, any, vm_hypotf32_u05, hypot(x, y))
    TWO(double, any, vm_hypotd16_u35, hypot(x, y))
    TWO(float, any, vm_hypotf32_u35, hypot(x, y))
    TWO(double, positive, vm_powd16_u10, pow(x, y))
    TWO(float, positive, vm_powf32_u10, pow(x, y))
    ONE(double, positive, vm_lgammad16_u10, lgamma(x))
    ONE(float, positive, vm_lgammaf32_u10, lgamma(x))
    ONE(double, positive, vm_tgammad16_u10, tgamma(x))
    ONE(float, positive, vm_tgammaf32_u10, tgamma(x))
    ONE(double, any, vm_erfd16_u10, erf(x))
    ONE(float, any, vm_erff32_u10, erf(x))
    ONE(double, any, vm_erfcd16_u15, erfc(x))
    ONE(float, any, vm_erfcf32_u15, erfc(x))
    ONE(double, any, vm_truncd16, trunc(x))
    ONE(float, any, vm_truncf32, trunc(x))
    ONE(double, any, vm_floord16, floor(x))
    ONE(float, any, vm_floorf32, floor(x))
    ONE(double, any, vm_ceild16, ceil(x))
    ONE(float, any, vm_ceilf32, ceil(x))
    ONE(double, any, vm_roundd16, round(x))
    ONE(float, any, vm_roundf32, round(x))
    ONE(double, any, vm_rintd16, rint(x))
    ONE(float, any, vm_rintf32, rint(x))
    ONE(double, any, vm_fabsd16, fabs(x))
    ONE(float, any, vm_fabsf32, fabs(x))
    THREE(double, vm_fmad16, fma(x, y, z))
    THREE(float, vm_fmaf32, fma(x, y, z))
    TWO(double, any, vm_fmodd16, fmod(x, y))
    TWO(float, any, vm_fmodf32, fmod(x, y))
    TWO(double, any, vm_fmaxd16, x > y ? x : y)
    TWO(float, any, vm_fmaxf32, x > y ? x : y)
    TWO(double, any, vm_fmind16, x < y ? x : y)
    TWO(float, any, vm_fminf32, x < y ? x : y)
    TWO(double, any, vm_fdimd16, fdim(x, y))
    TWO(float, any, vm_fdimf32, fdim(x, y))
    TWO(double, any, vm_copysignd16, copysign(x, y))
    TWO(float, any, vm_copysignf32, copysign(x, y))
    TWO(double, any, vm_nextafterd16, next_double(x, y))
    TWO(float, any, vm_nextafterf32, next_float(x, y))
    ONE(double, any, vm_frfrexpd16, mantissa(x))
    ONE(float, any, vm_frfrexpf32, mantissa(x))
    TWO(double, any, vm_fdivd16, x / y)
    TWO(float, any, vm_fdivf32, x / y)
    ONE(double, any, vm_frecd16, 1.0 / x)
    ONE(float, any, vm_frecf32, 1.0 / x)
    PAIR(double, any, vm_sincosd16_u10, sin(x), cos(x))
    PAIR(float, any, vm_sincosf32_u10, sin(x), cos(x))
    PAIR(double, any, vm_sincosd16_u35, sin(x), cos(x))
    PAIR(float, any, vm_sincosf32_u35, sin(x), cos(x))
    PAIR(double, any, vm_sincospid16_u05, sine_of_pi(x), sine_of_pi(x + 0.5))
    PAIR(float, any, vm_sincospif32_u05, sine_of_pi(x), sine_of_pi(x + 0.5))
    PAIR(double, any, vm_sincospid16_u35, sine_of_pi(x), sine_of_pi(x + 0.5))
    PAIR(float, any, vm_sincospif32_u35, sine_of_pi(x), sine_of_pi(x + 0.5))
    PAIR(double, any, vm_modfd16, trunc(x), x - trunc(x))
    PAIR(float, any, vm_modff32, trunc(x), x - trunc(x))
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
