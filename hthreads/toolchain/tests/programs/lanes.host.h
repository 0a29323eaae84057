/* What the host expects of a table of functions on lanes (lanes.h), which the file that includes this one
 * names TABLE. */
#include "check.h"
#include "lanes.h"
#include <math.h>

/* Values of the element `i`: within (-1, 1), above 1, positive, of both signs, small whole numbers,
 * and halves, bits, amounts of shifts, and predicates. */
static inline double unit(int i) { return (i - 15.5) / 17; }
static inline double above(int i) { return 1.25 + i * 0.75; }
static inline double positive(int i) { return 0.0625 + i * 0.375; }
static inline double any(int i) { return (i - 14.25) * 0.3125; }
static inline double other(int i) { return any(31 - i); }
static inline double small(int i) { return i % 13 - 6; }
static inline double more(int i) { return i % 7 - 2; }
static inline double halves(int i) { return (i - 9) * 0.5; }
static inline long bits(int i) { return (i + 1) * 0x9e3779b97f4a7c15 ^ (long)i << 40; }
static inline long bits2(int i) { return i % 5 ? bits(i + 100) : bits(i); }
static inline long amount64(int i) { return i * 5 % 64; }
static inline long amount32(int i) { return i * 5 % 32; }
static inline long truth(int i) { return i % 3; }

static inline double mantissa(double x)
{
    int exponent;
    return frexp(x, &exponent);
}

/* Half turns are taken away exactly. */
static inline double sine_of_pi(double x)
{
    double rest = x - 2 * rint(x / 2);
    if (fabs(rest) > 0.5)
        rest = copysign(1, rest) - rest;
    return sin(M_PI * rest);
}

/* Errors that two results may have, relative to the expected one. */
#define TOLERANCE_double 4e-15
#define TOLERANCE_float 4e-7
static inline int is_far(double found, double expected, double tolerance)
{
    double size = fabs(expected) > 1e-3 ? fabs(expected) : 1e-3;
    return !(fabs(found - expected) <= tolerance * size);
}

#define OPERAND_EXACT(type) type
#define OPERAND_NEAR(type) double
#define DIFFERS_EXACT(result) (memcmp(&found, &expected, sizeof found) && (found == found || expected == expected))
#define DIFFERS_NEAR(result) is_far(found, expected, TOLERANCE_##result)

struct lane_case {
    const char *name;
    void (*fill)(void *in);
    /* The number of the first element that differs, or -1. */
    int (*check)(const void *in, const void *out);
};

#define FILL_OPERAND(type, number, values)                                    \
    for (int i = 0; i < 2 * ELEMENTS(type); i++)                              \
        ((type *)((char *)in + number * OPERAND))[i] = (type)values(i);

/* `before` comes before the comparison of each of `count` elements. */
#define CHECK_CASE(how, result, type, va, vb, vc, name, count, before, value) \
    static void name##_##type##_fill(void *in)                                \
    {                                                                         \
        FILL_OPERAND(type, 0, va)                                             \
        FILL_OPERAND(type, 1, vb)                                             \
        FILL_OPERAND(type, 2, vc)                                             \
    }                                                                         \
    static int name##_##type##_check(const void *in, const void *out)         \
    {                                                                         \
        const type *A = in, *B = (type *)((char *)in + OPERAND);              \
        const type *C = (type *)((char *)in + 2 * OPERAND);                   \
        const result *R = out;                                                \
        for (int i = 0; i < (count); i++) {                                   \
            OPERAND_##how(type) a = A[i % (2 * ELEMENTS(type))];              \
            OPERAND_##how(type) b = B[i % (2 * ELEMENTS(type))];              \
            OPERAND_##how(type) c = C[i % (2 * ELEMENTS(type))];              \
            (void)a, (void)b, (void)c;                                        \
            before;                                                           \
            result found = R[i], expected = (result)(value);                  \
            if (DIFFERS_##how(result))                                        \
                return i;                                                     \
        }                                                                     \
        return -1;                                                            \
    }

#define ONE(how, result, type, va, name, value) \
    CHECK_CASE(how, result, type, va, va, va, name, ELEMENTS(result), , value)
#define TWO(how, result, type, va, vb, name, value) \
    CHECK_CASE(how, result, type, va, vb, va, name, ELEMENTS(result), , value)
#define THREE(how, result, type, va, vb, vc, name, value) \
    CHECK_CASE(how, result, type, va, vb, vc, name, ELEMENTS(result), , value)
/* The second vector of the result is behind the first one. */
#define PAIR(type, va, name, first, second)                                   \
    CHECK_CASE(NEAR, type, type, va, va, va, name, 2 * ELEMENTS(type),        \
               int is_first = i < ELEMENTS(type); a = A[i % ELEMENTS(type)],  \
               is_first ? (first) : (second))
#define SCALAR(how, result, type, va, name, value) ONE(how, result, type, va, name, value)
#define SKIPPED(type) (int)(24 / sizeof(type))
#define LOAD(type, name) ONE(EXACT, type, type, bits, name, A[i + SKIPPED(type)])
#define STORE(type, name) \
    CHECK_CASE(EXACT, type, type, bits, bits, bits, name, 2 * ELEMENTS(type), , \
               i < SKIPPED(type) || i >= SKIPPED(type) + ELEMENTS(type) ? 0 : A[i - SKIPPED(type)])
#define SELECT(predicate, type, name) \
    CHECK_CASE(EXACT, type, type, small, more, truth, name, ELEMENTS(type), , \
               ((const predicate *)C)[i] ? a : b)
/* By the predicate behind the last operand, either the value or what is behind the first operand. */
#define CHECK_CASE_IF(how, predicate, result, type, va, vb, vc, name, value) \
    CHECK_CASE(how, result, type, va, vb, vc, name, ELEMENTS(result), ,      \
               ((const predicate *)C)[ELEMENTS(predicate) + i]               \
                   ? (result)(value) : ((const result *)A)[ELEMENTS(result) + i])
#define SCALAR_IF(how, predicate, result, type, va, name, value) \
    CHECK_CASE_IF(how, predicate, result, type, va, va, truth, name, value)
#define ONE_IF(how, predicate, result, type, va, name, value) \
    CHECK_CASE_IF(how, predicate, result, type, va, va, truth, name, value)
#define TWO_IF(how, predicate, result, type, va, vb, name, value) \
    CHECK_CASE_IF(how, predicate, result, type, va, vb, truth, name, value)
#define THREE_IF(how, predicate, result, type, va, vb, vc, name, value) \
    CHECK_CASE_IF(how, predicate, result, type, va, vb, vc, name, value)
#define ARRAYS(how, result, type, va, vb, name, value) \
    CHECK_CASE(how, result, type, va, vb, va, name, 2 * ELEMENTS(type), , i < COUNT(type) ? (value) : 0)
#define ARRAY(how, result, type, va, name, value) ARRAYS(how, result, type, va, va, name, value)
#define FILL(how, result, type, va, name, value) ARRAYS(how, result, type, va, va, name, value)
#define WITH_SCALAR(how, result, type, va, vb, name, value) ARRAYS(how, result, type, va, vb, name, value)
#define TOTAL(how, result, type, va, name, term, of_total)                    \
    CHECK_CASE(how, result, type, va, va, va, name, 1,                        \
               type total = 0;                                                \
               for (int j = 0; j < COUNT(type); j++) { a = A[j]; total += (type)(term); }, \
               of_total)
#define TOTAL_OF_TWO(how, result, type, va, vb, name, term)                   \
    CHECK_CASE(how, result, type, va, vb, va, name, 1,                        \
               type total = 0;                                                \
               for (int j = 0; j < COUNT(type); j++) { a = A[j]; b = B[j]; total += (type)(term); }, \
               total)

#include TABLE

#undef ONE
#undef TWO
#undef THREE
#undef PAIR
#undef SCALAR
#undef LOAD
#undef STORE
#undef SELECT
#undef SCALAR_IF
#undef ONE_IF
#undef TWO_IF
#undef THREE_IF
#undef ARRAYS
#undef ARRAY
#undef FILL
#undef WITH_SCALAR
#undef TOTAL
#undef TOTAL_OF_TWO
#define ENTRY(type, name) {#name "_" #type, name##_##type##_fill, name##_##type##_check},
#define ONE(how, result, type, va, name, value) ENTRY(type, name)
#define TWO(how, result, type, va, vb, name, value) ENTRY(type, name)
#define THREE(how, result, type, va, vb, vc, name, value) ENTRY(type, name)
#define PAIR(type, va, name, first, second) ENTRY(type, name)
#define SCALAR(how, result, type, va, name, value) ENTRY(type, name)
#define LOAD(type, name) ENTRY(type, name)
#define STORE(type, name) ENTRY(type, name)
#define SELECT(predicate, type, name) ENTRY(type, name)
#define SCALAR_IF(how, predicate, result, type, va, name, value) ENTRY(type, name)
#define ONE_IF(how, predicate, result, type, va, name, value) ENTRY(type, name)
#define TWO_IF(how, predicate, result, type, va, vb, name, value) ENTRY(type, name)
#define THREE_IF(how, predicate, result, type, va, vb, vc, name, value) ENTRY(type, name)
#define ARRAYS(how, result, type, va, vb, name, value) ENTRY(type, name)
#define ARRAY(how, result, type, va, name, value) ENTRY(type, name)
#define FILL(how, result, type, va, name, value) ENTRY(type, name)
#define WITH_SCALAR(how, result, type, va, vb, name, value) ENTRY(type, name)
#define TOTAL(how, result, type, va, name, term, of_total) ENTRY(type, name)
#define TOTAL_OF_TWO(how, result, type, va, vb, name, term) ENTRY(type, name)

static const struct lane_case lane_cases[] = {
#include TABLE
};

/* Runs all cases of the table on an open cluster. */
static inline void run_table(void)
{
    char *in = hthread_malloc(0, 3 * OPERAND, HT_MEM_RO);
    char *out = hthread_malloc(0, OPERAND, HT_MEM_WO);
    uint64_t arguments[] = {(uint64_t)in, (uint64_t)out};
    int group = hthread_group_create(0, 1);
    for (size_t n = 0; n < sizeof lane_cases / sizeof *lane_cases; n++) {
        const struct lane_case *one = &lane_cases[n];
        CASE(one->name) {
            one->fill(in);
            memset(out, 0x5a, OPERAND);
            hthread_group_exec(group, one->name, 0, 2, arguments);
            EXPECT(hthread_group_wait(group) == 0);
            int differs = one->check(in, out);
            if (differs >= 0) {
                failures++;
                printf("%s: element %d\n", one->name, differs);
            }
        }
    }
    hthread_group_destroy(group);
    hthread_free(in);
    hthread_free(out);
}
