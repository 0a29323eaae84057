/* A program of two sources and a header, compiled and linked. */
#include "common.h"

static cl_program source(const char *text)
{
    cl_int code;
    cl_program made = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    OK(code);
    return made;
}

int main(void)
{
    cl_program header, units[2], linked;
    cl_kernel entry;
    const char *name = "more.h";
    size_t global = 1 << 10;
    cl_int code;
    set_up();
    header = source("inline float more(float x)\n{\n    return sin(x);\n}\n");
    units[0] = source("float other(float x);\n"
                      "kernel void entry(global float *x)\n"
                      "{\n"
                      "    x[get_global_id(0)] = other(sqrt(x[get_global_id(0)]));\n"
                      "}\n");
    units[1] = source("#include \"more.h\"\n"
                      "float other(float x)\n"
                      "{\n"
                      "    return exp(more(x));\n"
                      "}\n");
    for (int i = 0; i < 2; ++i)
        OK(clCompileProgram(units[i], 0, NULL, "", 1, &header, &name, NULL, NULL));
    linked = clLinkProgram(context, 0, NULL, "", 2, units, NULL, NULL, &code);
    OK(code);
    entry = clCreateKernel(linked, "entry", &code);
    OK(code);
    OK(clSetKernelArg(entry, 0, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, entry, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(entry));
    OK(clReleaseProgram(linked));
    OK(clReleaseProgram(units[0]));
    OK(clReleaseProgram(units[1]));
    OK(clReleaseProgram(header));
    tear_down();
    return 0;
}
