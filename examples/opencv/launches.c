/* Counts the kernels that a program launches. OpenCV takes its OpenCL functions from the
 * library that OPENCV_OPENCL_RUNTIME names: this one, which has the loader behind it. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdatomic.h>

static atomic_ulong launches;

unsigned long kernels_launched(void) { return launches; }

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                              cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local,
                              cl_uint wait_count, const cl_event *wait,
                              cl_event *event) {
  static cl_int (*next)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                        const size_t *, const size_t *, cl_uint,
                        const cl_event *, cl_event *);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
  cl_int error = next(queue, kernel, dimensions, offset, global, local,
                      wait_count, wait, event);
  if (error == CL_SUCCESS)
    launches++;
  return error;
}
