#define TABLE "conditional.table.h"
#include <compiler/m3000.h>
#include "lanes.device.h"
