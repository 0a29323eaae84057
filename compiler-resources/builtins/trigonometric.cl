// Trigonometric functions (6.12.2).

#include "types.h"

#define BODY "trigonometric_float.h"
#include "each_width.h"
#include "large_angles.h"
#define BODY "trigonometric_double.h"
#include "each_width.h"
