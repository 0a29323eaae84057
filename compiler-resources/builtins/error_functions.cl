// Error functions (6.12.2).

#include "types.h"

#define BODY "error_float.h"
#include "each_width.h"
#define BODY "error_double.h"
#include "each_width.h"
