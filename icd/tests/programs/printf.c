/* What kernels print appears on standard output when the command has ended, between what
 * the host prints before and after. */
#include "common.h"

static const char source[] =
    "int named(int i) { return printf(\"call %d\\n\", i); }\n"
    "kernel void k(global int *codes, float3 f, double2 d, char c) {\n"
    "  int bad = printf(\"%v3hlg %v2lf %c %s %5.2f|%%|\\n\", f, d, c, \"text\", 1.25f);\n"
    "  bad |= printf(\"%v4hhd %v2hx %v2hld %v8d %v16hhu\\n\", (char4)(1, -2, 3, 4),\n"
    "                (short2)(255, 16), (int2)(-5, 6), (int8)(8), (uchar16)(200));\n"
    "  bad |= printf(\"%v2hlf %v4lf %ld %hhd %#x %p\\n\", (float2)(1, 2), (double4)(3),\n"
    "                1L << 40, 300, 255, (global void *)0);\n"
    "  bad |= printf(\"no arguments\\n\");\n"
    "  for (int n = 0; n < 2; ++n) {\n"
    "    bad |= named(n);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  codes[0] = bad;\n"
    "  codes[1] = printf(\"%d%n\\n\", 7);\n"
    "}\n";

int main(void)
{
    cl_float3 f = {{1, 2.5f, -3}};
    cl_double2 d = {{0.5, 1e10}};
    cl_char c = 'x';
    cl_int codes[2];
    size_t one = 1;
    build(source, "k");
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(kernel, 1, sizeof f, &f));
    OK(clSetKernelArg(kernel, 2, sizeof d, &d));
    OK(clSetKernelArg(kernel, 3, sizeof c, &c));
    printf("before\n");
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    printf("after\n");
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof codes, codes, 0, NULL, NULL));
    printf("%d %d\n", codes[0], codes[1]);
    tear_down();
    return 0;
}
