/* CBLAS in C on an MT-3000 device: the routines for real numbers of libmocl3_cblas.so.
 *
 * Other headers of CBLAS may be used in its place if their integers have 32 bits (CBLAS_INT is int), as those of
 * the reference, OpenBLAS, ATLAS and GSL have. The routines for complex numbers are not in the library. */

#ifndef MOCL3_CBLAS_H
#define MOCL3_CBLAS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CBLAS_INT int
#define CBLAS_INDEX size_t

typedef enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_LAYOUT;
typedef enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 } CBLAS_TRANSPOSE;
typedef enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 } CBLAS_UPLO;
typedef enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit = 132 } CBLAS_DIAG;
typedef enum CBLAS_SIDE { CblasLeft = 141, CblasRight = 142 } CBLAS_SIDE;

/* The earlier name */
#define CBLAS_ORDER CBLAS_LAYOUT

/* Reports a wrong argument, and ends the program. A program may define its own one. */
void cblas_xerbla(CBLAS_INT number, const char *routine, const char *form, ...);

/* Level 1: vectors */

void cblas_srotg(float *a, float *b, float *c, float *s);
void cblas_srotmg(float *d1, float *d2, float *b1, float b2, float *p);
void cblas_srot(CBLAS_INT n, float *x, CBLAS_INT incx, float *y, CBLAS_INT incy, float c, float s);
void cblas_srotm(CBLAS_INT n, float *x, CBLAS_INT incx, float *y, CBLAS_INT incy, const float *p);
void cblas_sswap(CBLAS_INT n, float *x, CBLAS_INT incx, float *y, CBLAS_INT incy);
void cblas_sscal(CBLAS_INT n, float alpha, float *x, CBLAS_INT incx);
void cblas_scopy(CBLAS_INT n, const float *x, CBLAS_INT incx, float *y, CBLAS_INT incy);
void cblas_saxpy(CBLAS_INT n, float alpha, const float *x, CBLAS_INT incx, float *y, CBLAS_INT incy);
float cblas_sdot(CBLAS_INT n, const float *x, CBLAS_INT incx, const float *y, CBLAS_INT incy);
float cblas_snrm2(CBLAS_INT n, const float *x, CBLAS_INT incx);
float cblas_sasum(CBLAS_INT n, const float *x, CBLAS_INT incx);
CBLAS_INDEX cblas_isamax(CBLAS_INT n, const float *x, CBLAS_INT incx);
float cblas_sdsdot(CBLAS_INT n, float alpha, const float *x, CBLAS_INT incx, const float *y, CBLAS_INT incy);

void cblas_drotg(double *a, double *b, double *c, double *s);
void cblas_drotmg(double *d1, double *d2, double *b1, double b2, double *p);
void cblas_drot(CBLAS_INT n, double *x, CBLAS_INT incx, double *y, CBLAS_INT incy, double c, double s);
void cblas_drotm(CBLAS_INT n, double *x, CBLAS_INT incx, double *y, CBLAS_INT incy, const double *p);
void cblas_dswap(CBLAS_INT n, double *x, CBLAS_INT incx, double *y, CBLAS_INT incy);
void cblas_dscal(CBLAS_INT n, double alpha, double *x, CBLAS_INT incx);
void cblas_dcopy(CBLAS_INT n, const double *x, CBLAS_INT incx, double *y, CBLAS_INT incy);
void cblas_daxpy(CBLAS_INT n, double alpha, const double *x, CBLAS_INT incx, double *y, CBLAS_INT incy);
double cblas_ddot(CBLAS_INT n, const double *x, CBLAS_INT incx, const double *y, CBLAS_INT incy);
double cblas_dnrm2(CBLAS_INT n, const double *x, CBLAS_INT incx);
double cblas_dasum(CBLAS_INT n, const double *x, CBLAS_INT incx);
CBLAS_INDEX cblas_idamax(CBLAS_INT n, const double *x, CBLAS_INT incx);
double cblas_dsdot(CBLAS_INT n, const float *x, CBLAS_INT incx, const float *y, CBLAS_INT incy);

/* Level 2: a matrix and vectors */

void cblas_sgemv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, CBLAS_INT m, CBLAS_INT n, float alpha, const
                 float *a, CBLAS_INT lda, const float *x, CBLAS_INT incx, float beta, float *y, CBLAS_INT
                 incy);
void cblas_sgbmv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, CBLAS_INT m, CBLAS_INT n, CBLAS_INT kl, CBLAS_INT
                 ku, float alpha, const float *a, CBLAS_INT lda, const float *x, CBLAS_INT incx, float beta,
                 float *y, CBLAS_INT incy);
void cblas_ssymv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const float *a, CBLAS_INT
                 lda, const float *x, CBLAS_INT incx, float beta, float *y, CBLAS_INT incy);
void cblas_ssbmv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, CBLAS_INT k, float alpha, const float *a,
                 CBLAS_INT lda, const float *x, CBLAS_INT incx, float beta, float *y, CBLAS_INT incy);
void cblas_sspmv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const float *a, const float
                 *x, CBLAS_INT incx, float beta, float *y, CBLAS_INT incy);
void cblas_strmv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n,
                 const float *a, CBLAS_INT lda, float *x, CBLAS_INT incx);
void cblas_stbmv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n,
                 CBLAS_INT k, const float *a, CBLAS_INT lda, float *x, CBLAS_INT incx);
void cblas_stpmv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n,
                 const float *a, float *x, CBLAS_INT incx);
void cblas_strsv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n,
                 const float *a, CBLAS_INT lda, float *x, CBLAS_INT incx);
void cblas_stbsv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n,
                 CBLAS_INT k, const float *a, CBLAS_INT lda, float *x, CBLAS_INT incx);
void cblas_stpsv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n,
                 const float *a, float *x, CBLAS_INT incx);
void cblas_sger(CBLAS_LAYOUT layout, CBLAS_INT m, CBLAS_INT n, float alpha, const float *x, CBLAS_INT incx,
                const float *y, CBLAS_INT incy, float *a, CBLAS_INT lda);
void cblas_ssyr(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const float *x, CBLAS_INT
                incx, float *a, CBLAS_INT lda);
void cblas_sspr(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const float *x, CBLAS_INT
                incx, float *a);
void cblas_ssyr2(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const float *x, CBLAS_INT
                 incx, const float *y, CBLAS_INT incy, float *a, CBLAS_INT lda);
void cblas_sspr2(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const float *x, CBLAS_INT
                 incx, const float *y, CBLAS_INT incy, float *a);

void cblas_dgemv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, CBLAS_INT m, CBLAS_INT n, double alpha, const
                 double *a, CBLAS_INT lda, const double *x, CBLAS_INT incx, double beta, double *y, CBLAS_INT
                 incy);
void cblas_dgbmv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, CBLAS_INT m, CBLAS_INT n, CBLAS_INT kl, CBLAS_INT
                 ku, double alpha, const double *a, CBLAS_INT lda, const double *x, CBLAS_INT incx, double
                 beta, double *y, CBLAS_INT incy);
void cblas_dsymv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const double *a, CBLAS_INT
                 lda, const double *x, CBLAS_INT incx, double beta, double *y, CBLAS_INT incy);
void cblas_dsbmv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, CBLAS_INT k, double alpha, const double
                 *a, CBLAS_INT lda, const double *x, CBLAS_INT incx, double beta, double *y, CBLAS_INT incy);
void cblas_dspmv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const double *a, const
                 double *x, CBLAS_INT incx, double beta, double *y, CBLAS_INT incy);
void cblas_dtrmv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n,
                 const double *a, CBLAS_INT lda, double *x, CBLAS_INT incx);
void cblas_dtbmv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n,
                 CBLAS_INT k, const double *a, CBLAS_INT lda, double *x, CBLAS_INT incx);
void cblas_dtpmv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n,
                 const double *a, double *x, CBLAS_INT incx);
void cblas_dtrsv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n,
                 const double *a, CBLAS_INT lda, double *x, CBLAS_INT incx);
void cblas_dtbsv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n,
                 CBLAS_INT k, const double *a, CBLAS_INT lda, double *x, CBLAS_INT incx);
void cblas_dtpsv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n,
                 const double *a, double *x, CBLAS_INT incx);
void cblas_dger(CBLAS_LAYOUT layout, CBLAS_INT m, CBLAS_INT n, double alpha, const double *x, CBLAS_INT incx,
                const double *y, CBLAS_INT incy, double *a, CBLAS_INT lda);
void cblas_dsyr(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const double *x, CBLAS_INT
                incx, double *a, CBLAS_INT lda);
void cblas_dspr(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const double *x, CBLAS_INT
                incx, double *a);
void cblas_dsyr2(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const double *x, CBLAS_INT
                 incx, const double *y, CBLAS_INT incy, double *a, CBLAS_INT lda);
void cblas_dspr2(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const double *x, CBLAS_INT
                 incx, const double *y, CBLAS_INT incy, double *a);

/* Level 3: matrices */

void cblas_sgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transa, CBLAS_TRANSPOSE transb, CBLAS_INT m, CBLAS_INT
                 n, CBLAS_INT k, float alpha, const float *a, CBLAS_INT lda, const float *b, CBLAS_INT ldb,
                 float beta, float *c, CBLAS_INT ldc);
void cblas_ssymm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_INT m, CBLAS_INT n, float alpha,
                 const float *a, CBLAS_INT lda, const float *b, CBLAS_INT ldb, float beta, float *c, CBLAS_INT
                 ldc);
void cblas_ssyrk(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, float
                 alpha, const float *a, CBLAS_INT lda, float beta, float *c, CBLAS_INT ldc);
void cblas_ssyr2k(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, float
                  alpha, const float *a, CBLAS_INT lda, const float *b, CBLAS_INT ldb, float beta, float *c,
                  CBLAS_INT ldc);
void cblas_strmm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transa, CBLAS_DIAG
                 diag, CBLAS_INT m, CBLAS_INT n, float alpha, const float *a, CBLAS_INT lda, float *b,
                 CBLAS_INT ldb);
void cblas_strsm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transa, CBLAS_DIAG
                 diag, CBLAS_INT m, CBLAS_INT n, float alpha, const float *a, CBLAS_INT lda, float *b,
                 CBLAS_INT ldb);

void cblas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transa, CBLAS_TRANSPOSE transb, CBLAS_INT m, CBLAS_INT
                 n, CBLAS_INT k, double alpha, const double *a, CBLAS_INT lda, const double *b, CBLAS_INT ldb,
                 double beta, double *c, CBLAS_INT ldc);
void cblas_dsymm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_INT m, CBLAS_INT n, double
                 alpha, const double *a, CBLAS_INT lda, const double *b, CBLAS_INT ldb, double beta, double
                 *c, CBLAS_INT ldc);
void cblas_dsyrk(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, double
                 alpha, const double *a, CBLAS_INT lda, double beta, double *c, CBLAS_INT ldc);
void cblas_dsyr2k(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k,
                  double alpha, const double *a, CBLAS_INT lda, const double *b, CBLAS_INT ldb, double beta,
                  double *c, CBLAS_INT ldc);
void cblas_dtrmm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transa, CBLAS_DIAG
                 diag, CBLAS_INT m, CBLAS_INT n, double alpha, const double *a, CBLAS_INT lda, double *b,
                 CBLAS_INT ldb);
void cblas_dtrsm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transa, CBLAS_DIAG
                 diag, CBLAS_INT m, CBLAS_INT n, double alpha, const double *a, CBLAS_INT lda, double *b,
                 CBLAS_INT ldb);

#ifdef __cplusplus
}
#endif

#endif
