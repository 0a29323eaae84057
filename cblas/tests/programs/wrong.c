/* Calls a routine with a wrong argument, which the number on the command line selects. */

#include <cblas.h>

#include <stdio.h>
#include <stdlib.h>

#ifdef OWN_XERBLA
/* In place of the library's: counts, and returns. */
static int reports;

void cblas_xerbla(CBLAS_INT number, const char *routine, const char *form, ...)
{
    printf("own: %d %s %s", number, routine, form[0] ? form : "\n");
    ++reports;
}
#endif

int main(int count, char **arguments)
{
    double a[64] = {0}, b[64] = {0}, c[64] = {0};
    float f[64] = {0};
    switch (count > 1 ? atoi(arguments[1]) : 0) {
    case 0: cblas_dgemm(0, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1, a, 2, b, 2, 0, c, 2); break;
    case 1: cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1, a, 1, b, 2, 0, c, 2); break;
    case 2: cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 3, 2, 1, a, 2, b, 2, 0, c, 3); break;
    case 3: cblas_dgemm(CblasColMajor, 7, CblasNoTrans, 2, 2, 2, 1, a, 2, b, 2, 0, c, 2); break;
    case 4: cblas_sgemv(CblasRowMajor, CblasTrans, -1, 3, 1, f, 3, f, 1, 0, f, 1); break;
    case 5: cblas_sgemv(CblasColMajor, CblasTrans, 3, 3, 1, f, 3, f, 0, 0, f, 1); break;
    case 6: cblas_dgbmv(CblasRowMajor, CblasNoTrans, 3, 3, 1, -1, 1, a, 3, b, 1, 0, c, 1); break;
    case 7: cblas_dger(CblasRowMajor, 2, 3, 1, a, 0, b, 1, c, 3); break;
    case 8: cblas_dsymm(CblasColMajor, CblasLeft, 9, 2, 2, 1, a, 2, b, 2, 0, c, 2); break;
    case 9: cblas_dtrsm(CblasRowMajor, CblasRight, CblasUpper, CblasNoTrans, CblasUnit, 2, -3, 1, a, 3, b, 3); break;
    case 10: cblas_dsyrk(CblasColMajor, CblasUpper, 5, 2, 2, 1, a, 2, 0, c, 2); break;
    case 11: cblas_dsyr2k(CblasRowMajor, CblasUpper, CblasTrans, 3, 2, 1, a, 2, b, 3, 0, c, 3); break;
    case 12: cblas_stbsv(CblasColMajor, CblasUpper, CblasNoTrans, 3, 3, 1, f, 2, f, 1); break;
    case 13: cblas_dspr2(CblasRowMajor, CblasLower, 3, 1, a, 1, b, 0, c); break;
    case 14: cblas_dtrmm(CblasColMajor, 1, CblasUpper, CblasNoTrans, CblasUnit, 2, 2, 1, a, 2, b, 2); break;
    case 15: cblas_dsyr2(CblasRowMajor, CblasLower, 3, 1, a, 1, b, 1, c, 2); break;
    default: printf("no such call\n"); return 3;
    }
#ifdef OWN_XERBLA
    return reports == 1 ? 0 : 2;
#else
    printf("the call returned\n");
    return 0;
#endif
}
