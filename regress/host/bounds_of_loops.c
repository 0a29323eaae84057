// LLVM computed wrong bounds for two loops, which then never ended or differed with lanes.
// - `beyond` reads one element beyond a constant array; the sum with it is not compared.
// - `carried` has a loop that carries a constant from the second iteration on.
// fixed by: 9a23135
// environment: MOCL3_LANES=0
// environment: MOCL3_LANES=8
// environment: MOCL3_LANES=16
// prints: beyond 1: 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120 136
// prints: beyond 64: 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120 136
// prints: carried 7: 0 0 0 0 0 0 0
// prints: carried 8: 0 0 0 0 0 0 0 0
// prints: carried 16: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// prints: carried 64: 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0

#include "common.h"

static const char *const source =
    "constant float table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};"
    "kernel void beyond(global int *x, int least) {"
    "  float sum = 0;"
    "  for (int i = 0; i < 17; ++i) {"
    "    if (table[i] > least) sum += table[i];"
    "    x[i] = sum;"
    "  }"
    "}"
    "long folded(long a, int b) {"
    "  long kept[8];"
    "  for (int i = 0; i < 8; ++i) kept[i] = 1;"
    "  if (b) return a ^ b;"
    "  switch (a) { case 1: b = 1; default:; }"
    "  int rounds = b;"
    "  do {"
    "    a = (long)((ulong)rounds * (ulong)b);"
    "    switch (b) { case 0: case 1: b = 1; default:; }"
    "  } while (--rounds > 0);"
    "  return a;"
    "}"
    "kernel void carried(global int *x, int value) {"
    "  local long given[7];"
    "  local int found[4];"
    "  int i = get_local_id(0);"
    "  if (i < 7) given[i] = i * value;"
    "  if (i < 4) found[i] = 0;"
    "  barrier(CLK_LOCAL_MEM_FENCE);"
    "  switch ((uint)i % 6u) {"
    "  case 2: atomic_or(found + 2, (int)folded(given[(i + 2) % 7], (short)x[i]));"
    "  default:;"
    "  }"
    "  barrier(CLK_LOCAL_MEM_FENCE);"
    "  x[i] = found[i & 3];"
    "}";

static void print(const char *name, cl_int value, size_t global, size_t local,
                  size_t printed)
{
    int results[64];
    cl_int code;
    cl_kernel one = clCreateKernel(program, name, &code);
    OK(code);
    cl_int zero = 0;
    OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, sizeof results, 0, NULL, NULL));
    OK(clSetKernelArg(one, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(one, 1, sizeof value, &value));
    OK(clEnqueueNDRangeKernel(queue, one, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, printed * sizeof *results, results, 0,
                           NULL, NULL));
    printf("%s %d:", name, (int)local);
    for (size_t i = 0; i < printed; ++i)
        printf(" %d", results[i]);
    printf("\n");
    OK(clReleaseKernel(one));
}

int main(void)
{
    build(source, "beyond");
    print("beyond", 0, 1, 1, 16);
    print("beyond", 0, 64, 64, 16);
    print("carried", 1, 7, 7, 7);
    print("carried", 1, 8, 8, 8);
    print("carried", 1, 64, 16, 16);
    print("carried", 1, 64, 64, 64);
    tear_down();
    return 0;
}
