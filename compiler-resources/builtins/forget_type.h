// Undoes what float_type.h or double_type.h has set.

#undef R
#undef N
#undef C
#undef MANTISSA
#undef BIAS
#undef LEAST_NORMAL
