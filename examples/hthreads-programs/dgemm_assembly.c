#include "dgemm.h"

static unsigned long argument(int argc, char **argv, int place, unsigned long otherwise)
{
    return argc > place ? strtoul(argv[place], NULL, 10) : otherwise;
}

/* The arguments after the number of threads are the number of rows of C, a multiple of 6, that of its columns,
 * of 48, and of products for each element, of 128. */
int main(int argc, char **argv)
{
    begin(argc, argv, "dgemm_assembly_kernel.dat");
    unsigned long m = argument(argc, argv, 2, 1008), n = argument(argc, argv, 3, 864);
    return multiply("dgemm_assembly", m, n, argument(argc, argv, 4, 1024));
}
