// Trigonometric functions (6.12.2).

#include "types.h"

#define BODY "sin_cos_float.h"
#include "each_width.h"
