/* Compares each routine of CBLAS with loops in long double: both precisions and orders, all triangles, sides,
 * transpositions and diagonals, several increments and distances of columns.
 *
 * Elements that a routine may not read are NaN, and all that it may not write must stay as they are. Prints a line
 * for each routine, and ends with 1 if any differs. */

#include <cblas.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double Exact;

/* A sum, and that of the magnitudes of its terms, of which the error of a routine is a part. */
typedef struct {
    Exact value, size;
} Sum;

static void add(Sum *sum, Exact term)
{
    sum->value += term;
    sum->size += fabsl(term);
}

/* How a matrix is stored. */
typedef enum { FULL, BAND, PACKED } Kind;

typedef struct {
    Kind kind;
    CBLAS_LAYOUT layout;
    /* Rows and columns. */
    int m, n;
    /* 0 for the whole matrix, or the triangle that is stored. */
    CBLAS_UPLO triangle;
    /* Diagonals below and above the main one of a band. */
    int below, above;
    int stride;
} Shape;

/* The place of element (i, j), or -1 if it is not stored. */
static long place(Shape s, int i, int j)
{
    if ((s.triangle == CblasUpper && i > j) || (s.triangle == CblasLower && i < j))
        return -1;
    int by_rows = s.layout == CblasRowMajor;
    if (s.kind == BAND) {
        if (i - j > s.below || j - i > s.above)
            return -1;
        return by_rows ? (long)i * s.stride + s.below + j - i : (long)j * s.stride + s.above + i - j;
    }
    if (s.kind == FULL)
        return by_rows ? (long)i * s.stride + j : (long)j * s.stride + i;
    /* Lines that grow, or that shrink. */
    long line = by_rows ? i : j, element = by_rows ? j : i;
    if (by_rows == (s.triangle == CblasLower))
        return line * (line + 1) / 2 + element;
    return line * (2L * s.n - line - 1) / 2 + element;
}

/* The elements of its array. */
static long room(Shape s)
{
    if (s.kind == PACKED)
        return (long)s.n * (s.n + 1) / 2;
    return (long)s.stride * (s.layout == CblasRowMajor ? s.m : s.n);
}

static Shape full(CBLAS_LAYOUT layout, int m, int n, int more)
{
    int least = layout == CblasRowMajor ? n : m;
    return (Shape){FULL, layout, m, n, 0, 0, 0, (least > 1 ? least : 1) + more};
}

/* A triangle: full, of a band with `diagonals`, or packed. */
static Shape triangle(Kind kind, CBLAS_LAYOUT layout, CBLAS_UPLO uplo, int n, int diagonals, int more)
{
    Shape s = full(layout, n, n, more);
    s.kind = kind;
    s.triangle = uplo;
    if (kind == BAND) {
        s.below = uplo == CblasLower ? diagonals : 0;
        s.above = uplo == CblasUpper ? diagonals : 0;
        s.stride = diagonals + 1 + more;
    }
    return s;
}

static double uniform(void)
{
    static unsigned long long state = 88172645463325252ULL;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / (double)(1ULL << 52) - 1;
}

static void *room_for(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "no memory\n");
        exit(2);
    }
    return memory;
}

/* The place of a vector's element. */
static long element(int number, int count, int increment)
{
    return increment < 0 ? (long)(count - 1 - number) * -increment : (long)number * increment;
}

static long vector_room(int count, int increment)
{
    return count ? 1 + (long)(count - 1) * abs(increment) : 0;
}

static int failures;
static long calls, routines;

static int wrong_in_routine;

static void end_routine(const char *name)
{
    printf("%-14s %6ld calls %s\n", name, calls, wrong_in_routine ? "WRONG" : "ok");
    failures += wrong_in_routine != 0;
    wrong_in_routine = 0;
    calls = 0;
    ++routines;
}

/* Routines of level 1 that write one or two vectors. */
typedef enum { SWAP, COPY, AXPY, ROT, ROTM } Pair;

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define EACH(type, name, ...) \
    for (struct { int i; type all[COUNT(((type[]){__VA_ARGS__}))]; } name##_ = {0, {__VA_ARGS__}}; \
         name##_.i < COUNT(name##_.all); ++name##_.i) \
        for (type name = name##_.all[name##_.i], *name##_once = &name; name##_once; name##_once = NULL)
#define EACH_LAYOUT EACH(CBLAS_LAYOUT, layout, CblasRowMajor, CblasColMajor)
#define EACH_UPLO EACH(CBLAS_UPLO, uplo, CblasUpper, CblasLower)
#define EACH_TRANS(name) EACH(CBLAS_TRANSPOSE, name, CblasNoTrans, CblasTrans, CblasConjTrans)
#define EACH_DIAG EACH(CBLAS_DIAG, diag, CblasNonUnit, CblasUnit)
#define EACH_SIDE EACH(CBLAS_SIDE, side, CblasLeft, CblasRight)
#define EACH_INCREMENT(name) EACH(int, name, 1, 2, -1, -3)

#define NAME_(a, b) a##b
#define NAME(a, b) NAME_(a, b)

#define T float
#define LETTER s
#define TEXT "s"
#define EPSILON FLT_EPSILON
#include "routines.h"
#undef T
#undef LETTER
#undef TEXT
#undef EPSILON

#define T double
#define LETTER d
#define TEXT "d"
#define EPSILON DBL_EPSILON
#include "routines.h"

/* The products of single precision that are summed in double precision. */
static void mixed(void)
{
    EACH(int, n, 0, 1, 7, 1000) EACH_INCREMENT(incx) EACH_INCREMENT(incy) {
        char what[100];
        snprintf(what, sizeof what, "n=%d incx=%d incy=%d", n, incx, incy);
        sArray x = svector(n, incx), y = svector(n, incy);
        Sum sum = {0, 0};
        for (int i = 0; i < n; ++i)
            add(&sum, (Exact)x.now[element(i, n, incx)] * y.now[element(i, n, incy)]);
        dcompare_number("sdot", what, cblas_dsdot(n, x.now, incx, y.now, incy), sum, n);
        add(&sum, 0.25f);
        scompare_number("dsdot", what, cblas_sdsdot(n, 0.25f, x.now, incx, y.now, incy), sum, 1);
        srelease(x);
        srelease(y);
    }
    end_routine("cblas_dsdot, cblas_sdsdot");
}

int main(void)
{
    mixed();
    sall();
    dall();
    printf("%ld routines, %d differ\n", routines, failures);
    return failures != 0;
}
