/* Kernels that wait for locks, DMA and barriers, each at a line of its own. */
#include "common.h"

static const char *source =
    "kernel void count(global uint *x) {\n"
    "  atomic_inc(&x[0]); /* lock_wait */\n"
    "}\n"
    "kernel void scale(global uint *x) {\n"
    "  local uint tile[1024];\n"
    "  int first = get_group_id(0) * 1024;\n"
    "  event_t event = async_work_group_copy(tile, x + first, 1024, 0); /* dma_wait */\n"
    "  wait_group_events(1, &event); /* dma_wait barrier */\n"
    "  for (int i = get_local_id(0); i < 1024; i += get_local_size(0))\n"
    "    tile[i] *= 2;\n"
    "  event = async_work_group_copy(x + first, tile, 1024, 0); /* dma_wait */\n"
    "  wait_group_events(1, &event); /* dma_wait */\n"
    "}\n"
    "kernel void several(global uint *x) {\n"
    "  local uint tile[9][16];\n"
    "  event_t events[9];\n"
    "  for (int i = 0; i < 9; ++i)\n"
    "    events[i] = async_work_group_copy(tile[i], x + i * 16, 16, 0); /* dma_wait */\n"
    "  wait_group_events(9, events); /* dma_wait barrier */\n"
    "  if (get_local_id(0) == 0) tile[0][0] += 1;\n"
    "  events[0] = async_work_group_copy(x, tile[0], 16, 0); /* dma_wait */\n"
    "  wait_group_events(1, events); /* dma_wait */\n"
    "}\n"
    "kernel void total(global uint *x) {\n"
    "  local uint tile[64];\n"
    "  int i = get_local_id(0);\n"
    "  tile[i] = x[get_global_id(0)]; /* memory */\n"
    "  for (int distance = 32; distance > 0; distance >>= 1) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE); /* barrier */\n"
    "    if (i < distance) tile[i] += tile[i + distance];\n"
    "  }\n"
    "  if (i == 0) x[get_global_id(0)] = tile[0]; /* memory */\n"
    "}\n";

int main(void)
{
    const char *names[] = {"count", "scale", "several", "total"};
    build(source, "count");
    for (int k = 0; k < 4; ++k) {
        size_t global = 1024, local = 64;
        cl_int code;
        cl_kernel each = clCreateKernel(program, names[k], &code);
        OK(code);
        OK(clSetKernelArg(each, 0, sizeof buffer, &buffer));
        OK(clEnqueueNDRangeKernel(queue, each, 1, NULL, &global, &local, 0, NULL, NULL));
        OK(clReleaseKernel(each));
    }
    OK(clFinish(queue));
    tear_down();
    return 0;
}
