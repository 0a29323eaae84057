/* libvm: functions of each lane. Those without an instruction of LLVM's, and those with too large an error, are
 * functions of the host. */
#include <vector_math.h>

void __ht_vm_sinpi_double(lvector double *result, const lvector double *a);
void __ht_vm_sinpi_float(lvector float *result, const lvector float *a);
void __ht_vm_cospi_double(lvector double *result, const lvector double *a);
void __ht_vm_cospi_float(lvector float *result, const lvector float *a);
void __ht_vm_sinh_double(lvector double *result, const lvector double *a);
void __ht_vm_sinh_float(lvector float *result, const lvector float *a);
void __ht_vm_cosh_double(lvector double *result, const lvector double *a);
void __ht_vm_cosh_float(lvector float *result, const lvector float *a);
void __ht_vm_tanh_double(lvector double *result, const lvector double *a);
void __ht_vm_tanh_float(lvector float *result, const lvector float *a);
void __ht_vm_asinh_double(lvector double *result, const lvector double *a);
void __ht_vm_asinh_float(lvector float *result, const lvector float *a);
void __ht_vm_acosh_double(lvector double *result, const lvector double *a);
void __ht_vm_acosh_float(lvector float *result, const lvector float *a);
void __ht_vm_atanh_double(lvector double *result, const lvector double *a);
void __ht_vm_atanh_float(lvector float *result, const lvector float *a);
void __ht_vm_log_double(lvector double *result, const lvector double *a);
void __ht_vm_log_float(lvector float *result, const lvector float *a);
void __ht_vm_log2_double(lvector double *result, const lvector double *a);
void __ht_vm_log2_float(lvector float *result, const lvector float *a);
void __ht_vm_log10_double(lvector double *result, const lvector double *a);
void __ht_vm_log10_float(lvector float *result, const lvector float *a);
void __ht_vm_log1p_double(lvector double *result, const lvector double *a);
void __ht_vm_log1p_float(lvector float *result, const lvector float *a);
void __ht_vm_exp10_double(lvector double *result, const lvector double *a);
void __ht_vm_exp10_float(lvector float *result, const lvector float *a);
void __ht_vm_expm1_double(lvector double *result, const lvector double *a);
void __ht_vm_expm1_float(lvector float *result, const lvector float *a);
void __ht_vm_cbrt_double(lvector double *result, const lvector double *a);
void __ht_vm_cbrt_float(lvector float *result, const lvector float *a);
void __ht_vm_lgamma_double(lvector double *result, const lvector double *a);
void __ht_vm_lgamma_float(lvector float *result, const lvector float *a);
void __ht_vm_tgamma_double(lvector double *result, const lvector double *a);
void __ht_vm_tgamma_float(lvector float *result, const lvector float *a);
void __ht_vm_erf_double(lvector double *result, const lvector double *a);
void __ht_vm_erf_float(lvector float *result, const lvector float *a);
void __ht_vm_erfc_double(lvector double *result, const lvector double *a);
void __ht_vm_erfc_float(lvector float *result, const lvector float *a);
void __ht_vm_frfrexp_double(lvector double *result, const lvector double *a);
void __ht_vm_frfrexp_float(lvector float *result, const lvector float *a);
void __ht_vm_atan2_double(lvector double *result, const lvector double *a, const lvector double *b);
void __ht_vm_atan2_float(lvector float *result, const lvector float *a, const lvector float *b);
void __ht_vm_pow_double(lvector double *result, const lvector double *a, const lvector double *b);
void __ht_vm_pow_float(lvector float *result, const lvector float *a, const lvector float *b);
void __ht_vm_hypot_double(lvector double *result, const lvector double *a, const lvector double *b);
void __ht_vm_hypot_float(lvector float *result, const lvector float *a, const lvector float *b);
void __ht_vm_fdim_double(lvector double *result, const lvector double *a, const lvector double *b);
void __ht_vm_fdim_float(lvector float *result, const lvector float *a, const lvector float *b);
void __ht_vm_nextafter_double(lvector double *result, const lvector double *a, const lvector double *b);
void __ht_vm_nextafter_float(lvector float *result, const lvector float *a, const lvector float *b);
void __ht_vm_ldexp(lvector double *result, const lvector double *a, const lvector signed int *b);
void __ht_vm_exponents(lvector signed int *result, const lvector double *a, int first);

#define HT_1(name, type, function) \
    lvector type name(lvector type a) { return function(a); }
#define HT_2(name, type, function) \
    lvector type name(lvector type a, lvector type b) { return function(a, b); }
#define HT_3(name, type, function) \
    lvector type name(lvector type a, lvector type b, lvector type c) { return function(a, b, c); }
#define HT_HOST_1(name, type, function)   \
    lvector type name(lvector type a)     \
    {                                     \
        lvector type result;              \
        function(&result, &a);            \
        return result;                    \
    }
#define HT_HOST_2(name, type, function)               \
    lvector type name(lvector type a, lvector type b) \
    {                                                 \
        lvector type result;                          \
        function(&result, &a, &b);                    \
        return result;                                \
    }
#define HT_PAIR(name, type, first, second) \
    lvector_##type##2 name(lvector type a) \
    {                                      \
        lvector_##type##2 result;          \
        result.x = first;                  \
        result.y = second;                 \
        return result;                     \
    }

/* Of an infinity, 0. */
#define HT_FRACTION(type)                                                        \
    static lvector type ht_fraction_##type(lvector type a)                       \
    {                                                                            \
        lvector type whole = __builtin_elementwise_trunc(a);                     \
        lvector type rest;                                                       \
        for (unsigned lane = 0; lane < sizeof a / sizeof(type); lane++)          \
            rest[lane] = __builtin_isinf(a[lane]) ? (type)0 : a[lane] - whole[lane]; \
        return __builtin_elementwise_copysign(rest, a);                          \
    }
HT_FRACTION(double)
HT_FRACTION(float)

HT_1(vm_sind16_u10, double, __builtin_elementwise_sin)
HT_1(vm_sinf32_u10, float, __builtin_elementwise_sin)
HT_1(vm_sind16_u35, double, __builtin_elementwise_sin)
HT_1(vm_sinf32_u35, float, __builtin_elementwise_sin)
HT_1(vm_cosd16_u10, double, __builtin_elementwise_cos)
HT_1(vm_cosf32_u10, float, __builtin_elementwise_cos)
HT_1(vm_cosd16_u35, double, __builtin_elementwise_cos)
HT_1(vm_cosf32_u35, float, __builtin_elementwise_cos)
HT_1(vm_tand16_u10, double, __builtin_elementwise_tan)
HT_1(vm_tanf32_u10, float, __builtin_elementwise_tan)
HT_1(vm_tand16_u35, double, __builtin_elementwise_tan)
HT_1(vm_tanf32_u35, float, __builtin_elementwise_tan)
HT_HOST_1(vm_sinpid16_u05, double, __ht_vm_sinpi_double)
HT_HOST_1(vm_sinpif32_u05, float, __ht_vm_sinpi_float)
HT_HOST_1(vm_cospid16_u05, double, __ht_vm_cospi_double)
HT_HOST_1(vm_cospif32_u05, float, __ht_vm_cospi_float)
HT_1(vm_asind16_u10, double, __builtin_elementwise_asin)
HT_1(vm_asinf32_u10, float, __builtin_elementwise_asin)
HT_1(vm_asind16_u35, double, __builtin_elementwise_asin)
HT_1(vm_asinf32_u35, float, __builtin_elementwise_asin)
HT_1(vm_acosd16_u10, double, __builtin_elementwise_acos)
HT_1(vm_acosf32_u10, float, __builtin_elementwise_acos)
HT_1(vm_acosd16_u35, double, __builtin_elementwise_acos)
HT_1(vm_acosf32_u35, float, __builtin_elementwise_acos)
HT_1(vm_atand16_u10, double, __builtin_elementwise_atan)
HT_1(vm_atanf32_u10, float, __builtin_elementwise_atan)
HT_1(vm_atand16_u35, double, __builtin_elementwise_atan)
HT_1(vm_atanf32_u35, float, __builtin_elementwise_atan)
HT_HOST_2(vm_atan2d16_u10, double, __ht_vm_atan2_double)
HT_HOST_2(vm_atan2f32_u10, float, __ht_vm_atan2_float)
HT_HOST_2(vm_atan2d16_u35, double, __ht_vm_atan2_double)
HT_HOST_2(vm_atan2f32_u35, float, __ht_vm_atan2_float)
HT_HOST_1(vm_sinhd16_u10, double, __ht_vm_sinh_double)
HT_HOST_1(vm_sinhf32_u10, float, __ht_vm_sinh_float)
HT_HOST_1(vm_sinhd16_u35, double, __ht_vm_sinh_double)
HT_HOST_1(vm_sinhf32_u35, float, __ht_vm_sinh_float)
HT_HOST_1(vm_coshd16_u10, double, __ht_vm_cosh_double)
HT_HOST_1(vm_coshf32_u10, float, __ht_vm_cosh_float)
HT_HOST_1(vm_coshd16_u35, double, __ht_vm_cosh_double)
HT_HOST_1(vm_coshf32_u35, float, __ht_vm_cosh_float)
HT_HOST_1(vm_tanhd16_u10, double, __ht_vm_tanh_double)
HT_HOST_1(vm_tanhf32_u10, float, __ht_vm_tanh_float)
HT_HOST_1(vm_tanhd16_u35, double, __ht_vm_tanh_double)
HT_HOST_1(vm_tanhf32_u35, float, __ht_vm_tanh_float)
HT_HOST_1(vm_asinhd16_u10, double, __ht_vm_asinh_double)
HT_HOST_1(vm_asinhf32_u10, float, __ht_vm_asinh_float)
HT_HOST_1(vm_acoshd16_u10, double, __ht_vm_acosh_double)
HT_HOST_1(vm_acoshf32_u10, float, __ht_vm_acosh_float)
HT_HOST_1(vm_atanhd16_u10, double, __ht_vm_atanh_double)
HT_HOST_1(vm_atanhf32_u10, float, __ht_vm_atanh_float)
HT_HOST_1(vm_logd16_u10, double, __ht_vm_log_double)
HT_HOST_1(vm_logf32_u10, float, __ht_vm_log_float)
HT_HOST_1(vm_logd16_u35, double, __ht_vm_log_double)
HT_HOST_1(vm_logf32_u35, float, __ht_vm_log_float)
HT_HOST_1(vm_log10d16_u10, double, __ht_vm_log10_double)
HT_HOST_1(vm_log10f32_u10, float, __ht_vm_log10_float)
HT_HOST_1(vm_log2d16_u10, double, __ht_vm_log2_double)
HT_HOST_1(vm_log2f32_u10, float, __ht_vm_log2_float)
HT_HOST_1(vm_log1pd16_u10, double, __ht_vm_log1p_double)
HT_HOST_1(vm_log1pf32_u10, float, __ht_vm_log1p_float)
HT_1(vm_expd16_u10, double, __builtin_elementwise_exp)
HT_1(vm_expf32_u10, float, __builtin_elementwise_exp)
HT_1(vm_exp2d16_u10, double, __builtin_elementwise_exp2)
HT_1(vm_exp2f32_u10, float, __builtin_elementwise_exp2)
HT_HOST_1(vm_exp10d16_u10, double, __ht_vm_exp10_double)
HT_HOST_1(vm_exp10f32_u10, float, __ht_vm_exp10_float)
HT_HOST_1(vm_expm1d16_u10, double, __ht_vm_expm1_double)
HT_HOST_1(vm_expm1f32_u10, float, __ht_vm_expm1_float)
HT_1(vm_sqrtd16, double, __builtin_elementwise_sqrt)
HT_1(vm_sqrtf32, float, __builtin_elementwise_sqrt)
HT_1(vm_sqrtd16_u05, double, __builtin_elementwise_sqrt)
HT_1(vm_sqrtf32_u05, float, __builtin_elementwise_sqrt)
HT_1(vm_sqrtd16_u35, double, __builtin_elementwise_sqrt)
HT_1(vm_sqrtf32_u35, float, __builtin_elementwise_sqrt)
HT_HOST_1(vm_cbrtd16_u10, double, __ht_vm_cbrt_double)
HT_HOST_1(vm_cbrtf32_u10, float, __ht_vm_cbrt_float)
HT_HOST_1(vm_cbrtd16_u35, double, __ht_vm_cbrt_double)
HT_HOST_1(vm_cbrtf32_u35, float, __ht_vm_cbrt_float)
HT_HOST_2(vm_hypotd16_u05, double, __ht_vm_hypot_double)
HT_HOST_2(vm_hypotf32_u05, float, __ht_vm_hypot_float)
HT_HOST_2(vm_hypotd16_u35, double, __ht_vm_hypot_double)
HT_HOST_2(vm_hypotf32_u35, float, __ht_vm_hypot_float)
HT_HOST_2(vm_powd16_u10, double, __ht_vm_pow_double)
HT_HOST_2(vm_powf32_u10, float, __ht_vm_pow_float)
HT_HOST_1(vm_lgammad16_u10, double, __ht_vm_lgamma_double)
HT_HOST_1(vm_lgammaf32_u10, float, __ht_vm_lgamma_float)
HT_HOST_1(vm_tgammad16_u10, double, __ht_vm_tgamma_double)
HT_HOST_1(vm_tgammaf32_u10, float, __ht_vm_tgamma_float)
HT_HOST_1(vm_erfd16_u10, double, __ht_vm_erf_double)
HT_HOST_1(vm_erff32_u10, float, __ht_vm_erf_float)
HT_HOST_1(vm_erfcd16_u15, double, __ht_vm_erfc_double)
HT_HOST_1(vm_erfcf32_u15, float, __ht_vm_erfc_float)
HT_1(vm_truncd16, double, __builtin_elementwise_trunc)
HT_1(vm_truncf32, float, __builtin_elementwise_trunc)
HT_1(vm_floord16, double, __builtin_elementwise_floor)
HT_1(vm_floorf32, float, __builtin_elementwise_floor)
HT_1(vm_ceild16, double, __builtin_elementwise_ceil)
HT_1(vm_ceilf32, float, __builtin_elementwise_ceil)
HT_1(vm_roundd16, double, __builtin_elementwise_round)
HT_1(vm_roundf32, float, __builtin_elementwise_round)
HT_1(vm_rintd16, double, __builtin_elementwise_rint)
HT_1(vm_rintf32, float, __builtin_elementwise_rint)
HT_1(vm_fabsd16, double, __builtin_elementwise_abs)
HT_1(vm_fabsf32, float, __builtin_elementwise_abs)
HT_3(vm_fmad16, double, __builtin_elementwise_fma)
HT_3(vm_fmaf32, float, __builtin_elementwise_fma)
HT_2(vm_fmodd16, double, __builtin_elementwise_fmod)
HT_2(vm_fmodf32, float, __builtin_elementwise_fmod)
HT_2(vm_fmaxd16, double, __builtin_elementwise_max)
HT_2(vm_fmaxf32, float, __builtin_elementwise_max)
HT_2(vm_fmind16, double, __builtin_elementwise_min)
HT_2(vm_fminf32, float, __builtin_elementwise_min)
HT_HOST_2(vm_fdimd16, double, __ht_vm_fdim_double)
HT_HOST_2(vm_fdimf32, float, __ht_vm_fdim_float)
HT_2(vm_copysignd16, double, __builtin_elementwise_copysign)
HT_2(vm_copysignf32, float, __builtin_elementwise_copysign)
HT_HOST_2(vm_nextafterd16, double, __ht_vm_nextafter_double)
HT_HOST_2(vm_nextafterf32, float, __ht_vm_nextafter_float)
HT_HOST_1(vm_frfrexpd16, double, __ht_vm_frfrexp_double)
HT_HOST_1(vm_frfrexpf32, float, __ht_vm_frfrexp_float)
lvector double vm_fdivd16(lvector double a, lvector double b) { return a / b; }
lvector float vm_fdivf32(lvector float a, lvector float b) { return a / b; }
lvector double vm_frecd16(lvector double a) { return 1 / a; }
lvector float vm_frecf32(lvector float a) { return 1 / a; }
HT_PAIR(vm_sincosd16_u10, double, __builtin_elementwise_sin(a), __builtin_elementwise_cos(a))
HT_PAIR(vm_sincosf32_u10, float, __builtin_elementwise_sin(a), __builtin_elementwise_cos(a))
HT_PAIR(vm_sincosd16_u35, double, __builtin_elementwise_sin(a), __builtin_elementwise_cos(a))
HT_PAIR(vm_sincosf32_u35, float, __builtin_elementwise_sin(a), __builtin_elementwise_cos(a))
HT_PAIR(vm_sincospid16_u05, double, vm_sinpid16_u05(a), vm_cospid16_u05(a))
HT_PAIR(vm_sincospif32_u05, float, vm_sinpif32_u05(a), vm_cospif32_u05(a))
HT_PAIR(vm_sincospid16_u35, double, vm_sinpid16_u05(a), vm_cospid16_u05(a))
HT_PAIR(vm_sincospif32_u35, float, vm_sinpif32_u05(a), vm_cospif32_u05(a))
HT_PAIR(vm_modfd16, double, __builtin_elementwise_trunc(a), ht_fraction_double(a))
HT_PAIR(vm_modff32, float, __builtin_elementwise_trunc(a), ht_fraction_float(a))

lvector double vm_ldexpd16(lvector double a, lvector signed int b)
{
    lvector double result;
    __ht_vm_ldexp(&result, &a, &b);
    return result;
}

/* Of frexp: that of ilogb and 1. */
lvector signed int vm_expfrexpd16(lvector double a)
{
    lvector signed int result;
    __ht_vm_exponents(&result, &a, 1);
    return result;
}

lvector signed int vm_ilogbd16(lvector double a)
{
    lvector signed int result;
    __ht_vm_exponents(&result, &a, 0);
    return result;
}
