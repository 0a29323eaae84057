#include "dgemm.h"

/* The second argument is the number of rows and columns: a multiple of 64. */
int main(int argc, char **argv)
{
    begin(argc, argv, "dgemm_kernel.dat");
    unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 1536;
    return multiply("dgemm", n, n, n);
}
