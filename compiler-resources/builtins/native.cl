// The native_ functions (6.12.2).

#include "types.h"

#define BODY "native_float.h"
#include "each_width.h"
