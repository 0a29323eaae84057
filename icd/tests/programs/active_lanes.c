/* Launches of kernels of which not all lanes run everything. simulated_time/active_lanes.rs has what
   each of them loads, stores and computes. */
#include "common.h"

static const char *source =
    "kernel void guarded(global float *x, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) x[i + 4096] = x[i] * 2;\n"
    "}\n"
    "kernel void guarded_double(global double *x, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) x[i + 4096] = x[i] * 2;\n"
    "}\n"
    "kernel void guarded_gather(global float *x, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) x[i + 8192] = x[(i * 33) & 4095];\n"
    "}\n"
    "kernel void both_sides(global float *x, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n)\n"
    "    x[i + 4096] = x[i] * 2;\n"
    "  else\n"
    "    x[i + 8192] = x[i + 2048] + 1; /* other side */\n"
    "}\n"
    "kernel void odd_lanes(global float *x, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i & 1) x[i + 4096] = x[i] * n;\n"
    "}\n"
    "kernel void divergent_loop(global float *x, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int j = 0; j < (i & 3); ++j) sum += x[j * n + i];\n"
    "  x[i + 8192] = sum;\n"
    "}\n";

static void launch_with(const char *name, cl_int n, size_t global, size_t local)
{
    cl_int code;
    cl_kernel each = clCreateKernel(program, name, &code);
    OK(code);
    OK(clSetKernelArg(each, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(each, 1, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(queue, each, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clReleaseKernel(each));
}

int main(void)
{
    build(source, "guarded");
    launch_with("guarded", 1000, 2048, 64);
    launch_with("guarded", 0, 2048, 64);
    launch_with("guarded", 2048, 2000, 40);
    launch_with("guarded_double", 1000, 2048, 64);
    launch_with("guarded_gather", 1000, 2048, 64);
    launch_with("both_sides", 1000, 2048, 64);
    launch_with("both_sides", 2048, 2048, 64);
    launch_with("odd_lanes", 2, 2048, 64);
    launch_with("divergent_loop", 2048, 2048, 64);
    OK(clFinish(queue));
    tear_down();
    return 0;
}
