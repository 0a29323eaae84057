// Exponents, adjacent values and remainders (6.12.2): frexp, ldexp, nextafter, fmod and others.

#include "types.h"

#include "float_type.h"
#define BODY "exact.h"
#include "each_width.h"

#include "double_type.h"
#define BODY "exact.h"
#include "each_width.h"
