// Logarithms and the inverse hyperbolic functions (6.12.2).

#include "types.h"

#define BODY "logarithm_float.h"
#include "each_width.h"
#define BODY "logarithm_double.h"
#include "each_width.h"
