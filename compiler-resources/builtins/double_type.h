// The type double for bodies that are the same for float and double: R is the type, N the signed
// integer type of its size, C the scalar type of constants.

#undef R
#undef N
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
