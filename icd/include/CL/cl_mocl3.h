/* Extensions of MOCL3 in Rust, an OpenCL platform on a simulated Matrix-3000.
 * docs/extensions.md describes them.
 *
 * Copyright the MOCL3 in Rust developers. Apache-2.0 or MIT, as you like. */

#ifndef CL_MOCL3_H
#define CL_MOCL3_H

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* cl_mocl3_performance_counters */
#define cl_mocl3_performance_counters 1

/* cl_device_info: an array of cl_performance_counter_mocl3 */
#define CL_DEVICE_PERFORMANCE_COUNTERS_MOCL3 0x4D4F4301
#define CL_DEVICE_ARRAY_PERFORMANCE_COUNTERS_MOCL3 0x4D4F4303

/* cl_profiling_info: an array of cl_ulong */
#define CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_MOCL3 0x4D4F4302
#define CL_PROFILING_COMMAND_ARRAY_PERFORMANCE_COUNTERS_MOCL3 0x4D4F4304

/* What a counter counts; texts end with NUL. */
typedef struct _cl_performance_counter_mocl3 {
    char name[64];
    char unit[16];
    char description[176];
} cl_performance_counter_mocl3;

/* cl_mocl3_host_clock, an extension of platforms */
#define cl_mocl3_host_clock 1

/* Stores the simulated time of the host program of the platform's node, nanoseconds. */
typedef cl_int(CL_API_CALL *clGetHostClockMOCL3_fn)(cl_platform_id platform, cl_ulong *nanoseconds);

/* Sets that time, at least 1. */
typedef cl_int(CL_API_CALL *clSetHostClockMOCL3_fn)(cl_platform_id platform, cl_ulong nanoseconds);

/* Stores the simulated time at which the event's command ends. */
typedef cl_int(CL_API_CALL *clGetEventEndMOCL3_fn)(cl_event event, cl_ulong *nanoseconds);

/* Stores the numbers of launches of kernels that the process has enqueued: of those that are
 * executed, and of those that share the simulated time of another one. */
typedef cl_int(CL_API_CALL *clGetLaunchCountsMOCL3_fn)(cl_platform_id platform, cl_ulong *executed,
                                                       cl_ulong *shared);

/* cl_mocl3_task_queue, an extension of custom devices */
#define cl_mocl3_task_queue 1

/* cl_event_info: the state of a task, a cl_uint */
#define CL_EVENT_TASK_STATE_MOCL3 0x4D4F4305

#define CL_TASK_NOT_EXECUTING_MOCL3 0
#define CL_TASK_EXECUTING_MOCL3 1
#define CL_TASK_EXECUTED_MOCL3 2
#define CL_TASK_GAVE_UP_MOCL3 3

/* Enqueues tasks of built-in kernels as a chain. */
typedef cl_int(CL_API_CALL *clEnqueueTaskChainMOCL3_fn)(
    cl_command_queue command_queue, cl_uint num_kernels, const cl_kernel *kernels, cl_int priority,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);

#ifdef __cplusplus
}
#endif

#endif
