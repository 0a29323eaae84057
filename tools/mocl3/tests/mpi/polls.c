/* For two ranks or more, under SimGrid with the layer: what queries and callbacks see of simulated
 * time. Each rank launches a kernel, and the first one's callback sends a message. */
#include "../../../../examples/mpi/device.h"

static const char *SOURCE =
    "kernel void fill(global uint *x) { x[get_global_id(0)] = get_global_id(0); }";

enum { TAG = 7, ITEMS = 4096 };

static cl_ulong called_at;

static cl_ulong now(void) { return (cl_ulong)(MPI_Wtime() * 1e9 + 0.5); }

static void CL_CALLBACK notify(cl_event event, cl_int status, void *data) {
    (void)event;
    *(cl_int *)data = status;
    called_at = now();
    MPI_Send(&status, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
}

static void CL_CALLBACK open_gate(cl_event event, cl_int status, void *gate) {
    (void)event;
    called_at = now();
    OK(clSetUserEventStatus(gate, status));
}

#define CHECK(condition)                                                             \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "rank %d, line %d: not %s\n", rank, __LINE__, #condition); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                            \
        }                                                                            \
    } while (0)

int main(int argc, char **argv) {
    int rank, message = 42;
    cl_int status = 42, code;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    device it = device_open(SOURCE);
    cl_kernel kernel = device_kernel(&it, "fill");
    cl_mem buffer = device_buffer(&it, ITEMS * sizeof(cl_uint), NULL);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    cl_command_queue queue = clCreateCommandQueue(it.context, it.device, CL_QUEUE_PROFILING_ENABLE,
                                                  &code);
    OK(code);

    cl_ulong before = now(), start, end;
    size_t size = ITEMS;
    cl_event event;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, &event));
    CHECK(now() >= before + 1000 && now() < before + 2000);
    CHECK(clSetEventCallback(event, 7, notify, &status) == CL_INVALID_VALUE);
    CHECK(clSetEventCallback(event, CL_COMPLETE, NULL, NULL) == CL_INVALID_VALUE);
    if (rank == 0)
        OK(clSetEventCallback(event, CL_COMPLETE, notify, &status));

    /* Queries take time until the command is complete. */
    long polls = 0;
    do {
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof code, &code, NULL));
        polls += code != CL_COMPLETE;
    } while (code != CL_COMPLETE);
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    /* Simulated time begins at 1 on nodes, and at 0 for SimGrid. */
    end--;
    CHECK(polls > 10 && polls <= (long)((end - before) / 1000) + 2);
    if (rank == 0) {
        CHECK(status == CL_COMPLETE);
        CHECK(called_at >= end && called_at <= end + 2000);
    } else {
        CHECK(status == 42);
        CHECK(now() >= end && now() <= end + 2000);
    }
    if (rank == 1) {
        MPI_Recv(&message, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(message == CL_COMPLETE);
    }

    /* A callback completes what the rank waits for, at the time of the callback. */
    for (int blocking = 0; blocking < 3; blocking++) {
        cl_event opens, gated, gate = clCreateUserEvent(it.context, &code);
        OK(code);
        OK(clEnqueueNDRangeKernel(it.queue, kernel, 1, NULL, &size, NULL, 0, NULL, &opens));
        OK(clSetEventCallback(opens, CL_COMPLETE, open_gate, gate));
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 1, &gate, &gated));
        if (blocking == 0)
            OK(clFinish(queue));
        else if (blocking == 1)
            OK(clWaitForEvents(1, &gated));
        else
            OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof code, &code, 0, NULL, NULL));
        cl_ulong begin;
        OK(clGetEventProfilingInfo(gated, CL_PROFILING_COMMAND_SUBMIT, sizeof begin, &begin, NULL));
        /* MPI_Wtime takes 10 ns. */
        CHECK(begin > called_at && begin <= called_at + 20);
        OK(clReleaseEvent(opens));
        OK(clReleaseEvent(gated));
        OK(clReleaseEvent(gate));
    }
    if (rank == 0) printf("kernel %lld ns\n", (long long)(end + 1 - start));
    OK(clReleaseEvent(event));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    device_close(&it);
    MPI_Finalize();
    return 0;
}
