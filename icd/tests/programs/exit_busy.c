/* Ends while kernels run and a program is being built. */
#include "common.h"

static void CL_CALLBACK built(cl_program which, void *data)
{
    (void)which;
    (void)data;
}

int main(void)
{
    cl_int code;
    const char *source = "kernel void k(global float *x) { *x = sin(*x) * exp(*x); }";
    set_up();
    for (int i = 0; i < 50; ++i)
        launch(100000);
    OK(clFlush(queue));
    cl_program other = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    OK(clBuildProgram(other, 0, NULL, "", built, NULL));
    return 0;
}
