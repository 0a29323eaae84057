/* Arrays of one call in the same memory: rows and blocks of one matrix. Numbers are whole, and results exact. */

#include <cblas.h>

#include <stdio.h>
#include <string.h>

enum { ROWS = 7, COLUMNS = 9 };

static int failures;

static void expect(const char *what, const double *got, const double *wanted, int count)
{
    int differs = memcmp(got, wanted, (size_t)count * sizeof *got) != 0;
    printf("%-24s %s\n", what, differs ? "WRONG" : "ok");
    failures += differs;
}

static void fill(double a[ROWS * COLUMNS])
{
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        a[i] = (i * 37) % 23 - 11;
}

int main(void)
{
    double a[ROWS * COLUMNS], wanted[ROWS * COLUMNS];

    /* Rows 1 and 4 of a matrix by columns. */
    fill(a);
    fill(wanted);
    for (int j = 0; j < COLUMNS; ++j) {
        wanted[1 + j * ROWS] = a[4 + j * ROWS];
        wanted[4 + j * ROWS] = a[1 + j * ROWS];
    }
    cblas_dswap(COLUMNS, a + 1, ROWS, a + 4, ROWS);
    expect("dswap of rows", a, wanted, ROWS * COLUMNS);

    /* The same rows, one of them from its end. */
    fill(a);
    fill(wanted);
    for (int j = 0; j < COLUMNS; ++j) {
        wanted[1 + j * ROWS] = a[4 + (COLUMNS - 1 - j) * ROWS];
        wanted[4 + (COLUMNS - 1 - j) * ROWS] = a[1 + j * ROWS];
    }
    cblas_dswap(COLUMNS, a + 1, ROWS, a + 4, -ROWS);
    expect("dswap of a turned row", a, wanted, ROWS * COLUMNS);

    fill(a);
    fill(wanted);
    for (int j = 0; j < COLUMNS; ++j) {
        wanted[2 + j * ROWS] = 3 * a[2 + j * ROWS] + 2 * a[3 + j * ROWS];
        wanted[3 + j * ROWS] = 3 * a[3 + j * ROWS] - 2 * a[2 + j * ROWS];
    }
    cblas_drot(COLUMNS, a + 2, ROWS, a + 3, ROWS, 3, 2);
    expect("drot of rows", a, wanted, ROWS * COLUMNS);

    fill(a);
    fill(wanted);
    for (int i = 0; i < ROWS; ++i)
        wanted[i] += 2 * wanted[i];
    cblas_daxpy(ROWS, 2, a, 1, a, 1);
    expect("daxpy with x as y", a, wanted, ROWS * COLUMNS);

    double sum = 0, product;
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        sum += a[i] * a[i];
    product = cblas_ddot(ROWS * COLUMNS, a, 1, a, 1);
    expect("ddot of x with itself", &product, &sum, 1);

    /* The step of a factorisation: a block less the product of the panels left of it and above it. */
    fill(a);
    fill(wanted);
    for (int i = 3; i < ROWS; ++i)
        for (int j = 3; j < COLUMNS; ++j)
            for (int k = 0; k < 3; ++k)
                wanted[i + j * ROWS] -= a[i + k * ROWS] * a[k + j * ROWS];
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, ROWS - 3, COLUMNS - 3, 3, -1, a + 3, ROWS, a + 3 * ROWS,
                ROWS, 1, a + 3 + 3 * ROWS, ROWS);
    expect("dgemm of blocks", a, wanted, ROWS * COLUMNS);

    /* The same by rows. */
    fill(a);
    fill(wanted);
    for (int i = 3; i < ROWS; ++i)
        for (int j = 3; j < COLUMNS; ++j)
            for (int k = 0; k < 3; ++k)
                wanted[i * COLUMNS + j] -= a[i * COLUMNS + k] * a[k * COLUMNS + j];
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ROWS - 3, COLUMNS - 3, 3, -1, a + 3 * COLUMNS, COLUMNS,
                a + 3, COLUMNS, 1, a + 3 * COLUMNS + 3, COLUMNS);
    expect("dgemm of blocks by rows", a, wanted, ROWS * COLUMNS);

    /* A row of A is the result, and another one the vector. */
    fill(a);
    fill(wanted);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j)
            wanted[6 + i * ROWS] += a[i + j * ROWS] * a[5 + j * ROWS];
    cblas_dgemv(CblasColMajor, CblasNoTrans, 4, 5, 1, a, ROWS, a + 5, ROWS, 1, a + 6, ROWS);
    expect("dgemv of rows", a, wanted, ROWS * COLUMNS);

    /* The triangle left of the block that is solved for. */
    fill(a);
    fill(wanted);
    for (int j = 4; j < COLUMNS; ++j)
        for (int i = 1; i < 4; ++i)
            for (int k = 0; k < i; ++k)
                wanted[i * COLUMNS + j] -= wanted[i * COLUMNS + k] * wanted[k * COLUMNS + j];
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, 4, COLUMNS - 4, 1, a, COLUMNS, a + 4,
                COLUMNS);
    expect("dtrsm of blocks", a, wanted, ROWS * COLUMNS);
    return failures != 0;
}
