// The gamma function and its logarithm (6.12.2) for floats.

#include "types.h"

#define BODY "gamma_float.h"
#include "each_width.h"
