// Exponential and hyperbolic functions (6.12.2).

#include "types.h"

#include "float_type.h"
#define BODY "exponential_float.h"
#include "each_width.h"

#include "double_type.h"
#define BODY "exponential_double.h"
#include "each_width.h"
