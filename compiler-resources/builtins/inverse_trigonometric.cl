// Inverse trigonometric functions (6.12.2).

#include "types.h"

#define BODY "inverse_trigonometric_float.h"
#include "each_width.h"
#define BODY "inverse_trigonometric_double.h"
#include "each_width.h"
