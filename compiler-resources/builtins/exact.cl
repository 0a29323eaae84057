// Exponents, adjacent values and remainders (6.12.2): frexp, ldexp, nextafter, fmod and others.

#include "types.h"

#define R F
#define N I
#define C float
#define MANTISSA 23
#define BIAS 127
#define LEAST_NORMAL FLT_MIN
#define BODY "exact.h"
#include "each_width.h"
#undef N
#undef R
#undef C
#undef MANTISSA
#undef BIAS
#undef LEAST_NORMAL

#define R D
#define N L
#define C double
#define MANTISSA 52
#define BIAS 1023
#define LEAST_NORMAL DBL_MIN
#define BODY "exact.h"
#include "each_width.h"
