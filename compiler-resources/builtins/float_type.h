// The type float for bodies that are the same for float and double: R is the type, N the signed
// integer type of its size, C the scalar type of constants.

#undef R
#undef N
#undef C
#undef MANTISSA
#undef BIAS
#undef LEAST_NORMAL
#define R F
#define N I
#define C float
#define MANTISSA 23
#define BIAS 127
#define LEAST_NORMAL FLT_MIN
