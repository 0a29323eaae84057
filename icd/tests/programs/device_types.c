/* How many devices are found by each type; what the first says it is. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

int main(void)
{
    const struct {
        const char *name;
        cl_device_type type;
    } types[] = {
        {"default", CL_DEVICE_TYPE_DEFAULT}, {"cpu", CL_DEVICE_TYPE_CPU},
        {"gpu", CL_DEVICE_TYPE_GPU},         {"accelerator", CL_DEVICE_TYPE_ACCELERATOR},
        {"custom", CL_DEVICE_TYPE_CUSTOM},   {"all", CL_DEVICE_TYPE_ALL},
    };
    cl_platform_id platform;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS)
        return 1;
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        cl_uint count = 0, in_context = 0;
        cl_device_id device;
        cl_device_type type = 0;
        cl_int code = clGetDeviceIDs(platform, types[i].type, 1, &device, &count);
        if (code != CL_SUCCESS) {
            printf("%s: %d\n", types[i].name, code);
            continue;
        }
        cl_context_properties properties[] = {
            CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
        cl_context context =
            clCreateContextFromType(properties, types[i].type, NULL, NULL, &code);
        if (code != CL_SUCCESS)
            return 1;
        clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof in_context, &in_context, NULL);
        clReleaseContext(context);
        clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
        printf("%s: %u, %u in a context, the first is %#x\n", types[i].name, count, in_context,
               (unsigned)type);
    }
    return 0;
}
