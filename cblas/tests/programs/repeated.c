/* C = C + A B, four times, with matrices of ones: the first element after each. */
#include <cblas.h>
#include <stdio.h>

enum { N = 64 };

int main(void)
{
    static double a[N * N], b[N * N], c[N * N];
    for (int i = 0; i < N * N; i++)
        a[i] = b[i] = 1;
    for (int i = 0; i < 4; i++) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1.0, a, N, b, N, 1.0, c, N);
        printf("%g\n", c[0]);
    }
    return 0;
}
