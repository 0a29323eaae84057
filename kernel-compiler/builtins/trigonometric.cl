// Trigonometric functions (6.12.2).

#include "types.h"

#define BODY "trigonometric_float.h"
#include "each_width.h"
