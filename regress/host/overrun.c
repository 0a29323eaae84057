// A kernel that wrote beyond either end of a small buffer damaged the program's heap.
// fixed by: de18bc1
// only on: MOCL3

#include "common.h"
#include <string.h>

enum { BEYOND = 4096, ROUNDS = 40 };

static const size_t sizes[] = {1, 16, 100, 128, 500, 1000, 4096, 5000, 20000, 100000, 300000, 1 << 20};
enum { SIZES = sizeof sizes / sizeof *sizes };

struct block {
    size_t size;
    unsigned char *bytes;
};

static struct block block(size_t size)
{
    struct block made = {size, malloc(size)};
    memset(made.bytes, 0x5a, size);
    return made;
}

static void check(struct block block)
{
    for (size_t place = 0; place < block.size; ++place)
        if (block.bytes[place] != 0x5a) {
            fprintf(stderr, "a block of %zu bytes is damaged at %zu\n", block.size, place);
            abort();
        }
    free(block.bytes);
}

int main(void)
{
    build("kernel void k(global uchar *x, long from, long to) {"
          "  for (long i = from; i < to; ++i) x[i] = 0xff;"
          "}", "k");
    for (int round = 0; round < ROUNDS; ++round) {
        cl_mem buffers[SIZES];
        struct block before[SIZES], after[SIZES];
        cl_int code;
        for (int number = 0; number < SIZES; ++number) {
            before[number] = block(sizes[number]);
            buffers[number] = clCreateBuffer(context, 0, sizes[number], NULL, &code);
            OK(code);
            after[number] = block(sizes[number] + 100);
        }
        for (int number = 0; number < SIZES; ++number) {
            const cl_long ends[][2] = {{-BEYOND, 0}, {sizes[number], sizes[number] + BEYOND}};
            OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[number]));
            for (int end = 0; end < 2; ++end) {
                OK(clSetKernelArg(kernel, 1, sizeof(cl_long), &ends[end][0]));
                OK(clSetKernelArg(kernel, 2, sizeof(cl_long), &ends[end][1]));
                OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
            }
        }
        OK(clFinish(queue));
        for (int number = 0; number < SIZES; ++number) {
            check(before[number]);
            check(after[number]);
            OK(clReleaseMemObject(buffers[number]));
        }
    }
    tear_down();
    return 0;
}
