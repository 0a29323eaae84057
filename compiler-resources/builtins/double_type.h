// The type double for bodies that are the same for float and double: R is the type, N the signed
// integer type of its size, C the scalar type of constants.

#include "forget_type.h"
#define R D
#define N L
#define C double
#define MANTISSA 52
#define BIAS 1023
#define LEAST_NORMAL DBL_MIN
