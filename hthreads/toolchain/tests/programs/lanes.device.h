/* The kernels of a table of functions on lanes (lanes.h), which the file that includes this one names
 * TABLE. Each reads its operands to AM and writes its result. */
#include "lanes.h"
#include "hthread_device.h"
#include <stdint.h>

/* Operands in AM, with the place of the result behind them. */
static char *operands(void *in)
{
    char *am = vector_malloc(4 * OPERAND);
    vector_load(in, am, 3 * OPERAND);
    lvector long *result = (lvector long *)(am + 3 * OPERAND);
    result[0] = 0;
    result[1] = 0;
    return am;
}

#define CASE(result, type, name, act)                                         \
    __global__ void name##_##type(void *in, void *out)                        \
    {                                                                         \
        char *am = operands(in);                                              \
        lvector type *a = (lvector type *)am;                                 \
        lvector type *b = (lvector type *)(am + OPERAND);                     \
        lvector type *c = (lvector type *)(am + 2 * OPERAND);                 \
        lvector result *r = (lvector result *)(am + 3 * OPERAND);             \
        (void)a, (void)b, (void)c;                                            \
        act;                                                                  \
        vector_store(r, out, OPERAND);                                        \
        vector_free(am);                                                      \
    }

#define ONE(how, result, type, values, name, expected) CASE(result, type, name, r[0] = name(a[0]))
#define TWO(how, result, type, va, vb, name, expected) CASE(result, type, name, r[0] = name(a[0], b[0]))
#define THREE(how, result, type, va, vb, vc, name, expected) \
    CASE(result, type, name, r[0] = name(a[0], b[0], c[0]))
#define PAIR(type, values, name, first, second) \
    CASE(type, type, name, lvector_##type##2 found = name(a[0]); r[0] = found.x; r[1] = found.y)
#define SCALAR(how, result, type, values, name, expected) \
    CASE(result, type, name, r[0] = name(((type *)a)[2]))
#define LOAD(type, name) CASE(type, type, name, r[0] = name(3, a))
#define STORE(type, name) CASE(type, type, name, name(a[0], 3, r))
#define SELECT(predicate, type, name) \
    CASE(type, type, name, r[0] = name(((lvector predicate *)c)[0], a[0], b[0]))
/* The predicate, and what the elements have where it is 0, are behind the last and the first operand. */
#define CASE_IF(predicate, result, type, name, ...) \
    CASE(result, type, name,                        \
         r[0] = name(((lvector predicate *)c)[1], __VA_ARGS__, ((lvector result *)a)[1]))
#define SCALAR_IF(how, predicate, result, type, values, name, expected) \
    CASE_IF(predicate, result, type, name, ((type *)a)[2])
#define ONE_IF(how, predicate, result, type, values, name, expected) CASE_IF(predicate, result, type, name, a[0])
#define TWO_IF(how, predicate, result, type, va, vb, name, expected) CASE_IF(predicate, result, type, name, a[0], b[0])
#define THREE_IF(how, predicate, result, type, va, vb, vc, name, expected) \
    CASE_IF(predicate, result, type, name, a[0], b[0], c[0])
#define ARRAYS(how, result, type, va, vb, name, expected) CASE(result, type, name, name(a, b, r, COUNT(type)))
#define ARRAY(how, result, type, va, name, expected) CASE(result, type, name, name(a, r, COUNT(type)))
#define FILL(how, result, type, va, name, expected) CASE(result, type, name, name(((type *)a)[2], r, COUNT(type)))
#define WITH_SCALAR(how, result, type, va, vb, name, expected) \
    CASE(result, type, name, name(((type *)a)[2], b, r, COUNT(type)))
#define TOTAL(how, result, type, va, name, term, of_total) \
    CASE(result, type, name, ((result *)r)[0] = name(a, COUNT(type)))
#define TOTAL_OF_TWO(how, result, type, va, vb, name, term) \
    CASE(result, type, name, ((result *)r)[0] = name(a, b, COUNT(type)))

#include TABLE
