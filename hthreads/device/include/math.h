/* C11, 7.12: what the device has. */
#ifndef _MATH_H
#define _MATH_H

#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_E 2.7182818284590452354
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_SQRT2 1.41421356237309504880
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)

#define __HT_UNARY(name)    \
    double name(double x);  \
    float name##f(float x)
#define __HT_BINARY(name)             \
    double name(double x, double y);  \
    float name##f(float x, float y)

__HT_UNARY(acos);
__HT_UNARY(acosh);
__HT_UNARY(asin);
__HT_UNARY(asinh);
__HT_UNARY(atan);
__HT_UNARY(atanh);
__HT_UNARY(cbrt);
__HT_UNARY(ceil);
__HT_UNARY(cos);
__HT_UNARY(cosh);
__HT_UNARY(erf);
__HT_UNARY(erfc);
__HT_UNARY(exp);
__HT_UNARY(exp2);
__HT_UNARY(expm1);
__HT_UNARY(fabs);
__HT_UNARY(floor);
__HT_UNARY(lgamma);
__HT_UNARY(log);
__HT_UNARY(log10);
__HT_UNARY(log1p);
__HT_UNARY(log2);
__HT_UNARY(logb);
__HT_UNARY(nearbyint);
__HT_UNARY(rint);
__HT_UNARY(round);
__HT_UNARY(sin);
__HT_UNARY(sinh);
__HT_UNARY(sqrt);
__HT_UNARY(tan);
__HT_UNARY(tanh);
__HT_UNARY(tgamma);
__HT_UNARY(trunc);
__HT_BINARY(atan2);
__HT_BINARY(copysign);
__HT_BINARY(fdim);
__HT_BINARY(fmax);
__HT_BINARY(fmin);
__HT_BINARY(fmod);
__HT_BINARY(hypot);
__HT_BINARY(nextafter);
__HT_BINARY(pow);
__HT_BINARY(remainder);
double fma(double x, double y, double z);
float fmaf(float x, float y, float z);
double frexp(double x, int *exponent);
float frexpf(float x, int *exponent);
double ldexp(double x, int exponent);
float ldexpf(float x, int exponent);
double scalbn(double x, int exponent);
float scalbnf(float x, int exponent);
double modf(double x, double *whole);
float modff(float x, float *whole);
int ilogb(double x);
int ilogbf(float x);

#undef __HT_UNARY
#undef __HT_BINARY

#endif
