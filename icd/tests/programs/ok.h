/* Calls that must succeed or fail, and conditions that must hold. */
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

#define REFUSED(expected, call)                                                      \
    do {                                                                             \
        cl_int code_ = (call);                                                       \
        if (code_ != (expected)) {                                                   \
            fprintf(stderr, "%s: %d, not %s\n", #call, (int)code_, #expected);       \
            abort();                                                                 \
        }                                                                            \
    } while (0)

#define CHECK(condition)                                                  \
    do {                                                                  \
        if (!(condition)) {                                               \
            fprintf(stderr, "line %d: not %s\n", __LINE__, #condition);   \
            abort();                                                      \
        }                                                                 \
    } while (0)
