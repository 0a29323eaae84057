/* Text in a buffer of the host's memory, behind which nothing is mapped. Lanes leave a loop over letters at different
   times, some where the text ends. */
#include "common.h"
#include <sys/mman.h>

enum { PAGE = 4096, LENGTH = 2 * PAGE };

static int run_at(const unsigned char *text, int start)
{
    int i = 0;
    while (start + i < LENGTH && text[start + i] == 'a')
        i++;
    return i;
}

int main(void)
{
    const char *source =
        "kernel void runs(global const uchar *text, global int *runs, int length) {"
        "  int start = get_global_id(0), i = 0;"
        "  while (start + i < length && text[start + i] == 'a')"
        "    i++;"
        "  runs[start] = i;"
        "}";
    static int runs[LENGTH];
    unsigned char *text = mmap(NULL, LENGTH + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (text == MAP_FAILED || mprotect(text + LENGTH, PAGE, PROT_NONE))
        return 1;
    for (int i = 0; i < LENGTH; ++i)
        text[i] = i % 7 == 0 && i < LENGTH - 40 ? 'b' : 'a';
    build(source, "runs");
    cl_int code, length = LENGTH;
    cl_mem letters = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, LENGTH, text, &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof letters, &letters));
    OK(clSetKernelArg(kernel, 1, sizeof buffer, &buffer));
    OK(clSetKernelArg(kernel, 2, sizeof length, &length));
    size_t global = LENGTH, local = 64;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof runs, runs, 0, NULL, NULL));
    for (int i = 0; i < LENGTH; ++i)
        if (runs[i] != run_at(text, i)) {
            printf("%d: %d, expected %d\n", i, runs[i], run_at(text, i));
            return 1;
        }
    OK(clReleaseMemObject(letters));
    tear_down();
    printf("as expected\n");
    return 0;
}
