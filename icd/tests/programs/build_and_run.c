/* Builds a program and runs its kernel `k` on one int:
 *     build_and_run source TEXT OPTIONS     builds from source
 *     build_and_run zeroed TEXT OPTIONS     where private memory begins as zeros
 *     build_and_run save FILE TEXT OPTIONS  and then saves the binary
 *     build_and_run binary FILE             builds from a binary
 * Prints codes, the result, the names of the kernel's arguments, and the build log. */
#include "common.h"
#include <string.h>

static cl_device_id device;

static void print_log(void)
{
    char log[1 << 16];
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    printf("log %s\n", log);
}

static void run(void)
{
    cl_int result = 1;
    cl_uint arguments;
    cl_int code;
    size_t one = 1;
    kernel = clCreateKernel(program, "k", &code);
    OK(code);
    OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL));
    for (cl_uint i = 0; i < arguments; ++i) {
        char type[64], name[64];
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
        printf("argument %s %s\n", type, name);
    }
    queue = clCreateCommandQueue(context, device, 0, &code);
    OK(code);
    buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof result, &result, &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL));
    printf("result %d\n", (int)result);
}

static void save(const char *path)
{
    size_t size;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *binary = malloc(size);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(binary, 1, size, file) != size || fclose(file))
        abort();
    free(binary);
}

static void create_with_binary(const char *path)
{
    static unsigned char bytes[1 << 20];
    const unsigned char *binary = bytes;
    cl_int status = 1, code = 1;
    FILE *file = fopen(path, "rb");
    if (!file)
        abort();
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    program = clCreateProgramWithBinary(context, 1, &device, &size, &binary, &status, &code);
    printf("created %d status %d\n", (int)code, (int)status);
}

int main(int count, char **words)
{
    cl_platform_id platform;
    cl_int code;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    /* CL_CONTEXT_MEMORY_INITIALIZE_KHR and CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR. */
    const cl_context_properties zeroed[] = { 0x2030, 2, 0 };
    int zeroes = count > 1 && !strcmp(words[1], "zeroed");
    context = clCreateContext(zeroes ? zeroed : NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    const char *options = NULL;
    if (count == 3 && !strcmp(words[1], "binary")) {
        create_with_binary(words[2]);
    } else if (count >= 4) {
        const char *source = words[count - 2];
        options = words[count - 1];
        program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
        OK(code);
    }
    if (!program)
        return 0;
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    printf("built %d\n", (int)code);
    if (code == CL_SUCCESS)
        run();
    print_log();
    if (!strcmp(words[1], "save"))
        save(words[2]);
    return 0;
}
