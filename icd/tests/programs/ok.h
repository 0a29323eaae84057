/* Calls that must succeed. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define OK(call)                                                  \
    do {                                                          \
        cl_int code_ = (call);                                    \
        if (code_ != CL_SUCCESS) {                                \
            fprintf(stderr, "%s: %d\n", #call, (int)code_);       \
            abort();                                              \
        }                                                         \
    } while (0)
