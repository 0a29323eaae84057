/* What kernels print is in the C locale, whatever the program has set; LOCPATH names a folder
 * with a locale `comma` of a decimal comma. */
#include "common.h"
#include <locale.h>

static const char source[] =
    "kernel void k(global int *x) {\n"
    "  printf(\"%.2f %e %g %a %v2hlf\\n\", 1.5f, 2.5f, 1.25f, 1.5f, (float2)(0.5f));\n"
    "  printf(\"%d %f %f\\n\", 1234567, -nan(1u), -INFINITY);\n"
    "}\n";

int main(void)
{
    size_t one = 1;
    if (!setlocale(LC_NUMERIC, "comma"))
        abort();
    build(source, "k");
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    printf("%.2f\n", 1.5);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    printf("%.2f\n", 1.5);
    tear_down();
    return 0;
}
