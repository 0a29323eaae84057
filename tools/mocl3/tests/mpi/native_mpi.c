/* Calls MPI in a native kernel, which runs in a thread of the platform and in no rank. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <mpi.h>

static void CL_CALLBACK native(void *unused) {
    int rank;
    (void)unused;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

int main(int argc, char **argv) {
    cl_platform_id platform;
    cl_device_id device;
    int value = 0;
    MPI_Init(&argc, &argv);
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    clEnqueueNativeKernel(queue, native, &value, sizeof value, 0, NULL, NULL, 0, NULL, NULL);
    clFinish(queue);
    MPI_Finalize();
    return 0;
}
