// The type float for bodies that are the same for float and double: R is the type, N the signed
// integer type of its size, C the scalar type of constants.

#include "forget_type.h"
#define R F
#define N I
#define C float
#define MANTISSA 23
#define BIAS 127
#define LEAST_NORMAL FLT_MIN
