// Multiplies matrices by built-in kernels: on clusters by `dgemm` of the vendor's library, on a custom device with
// matrix multiply accelerators by `matrix_multiply`. It prints the time of each device.
//
//   c++ -o multiply multiply.cpp -lOpenCL
//   MOCL3_MACHINE=mma ./multiply [ROWS]       (256)

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

static bool has_kernel(const cl::Device &device, const std::string &wanted)
{
    std::istringstream names(device.getInfo<CL_DEVICE_BUILT_IN_KERNELS>());
    for (std::string name; std::getline(names, name, ';');)
        if (name == wanted)
            return true;
    return false;
}

// The first cluster and all custom devices; a platform without custom devices reports an error for them.
static std::vector<cl::Device> devices_of(const cl::Platform &platform)
{
    std::vector<cl::Device> devices, custom;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    devices.resize(1);
    try {
        platform.getDevices(CL_DEVICE_TYPE_CUSTOM, &custom);
    } catch (const cl::Error &error) {
        if (error.err() != CL_DEVICE_NOT_FOUND)
            throw;
    }
    devices.insert(devices.end(), custom.begin(), custom.end());
    return devices;
}

int main(int count, char **arguments)
try {
    const cl_uint rows = count > 1 ? static_cast<cl_uint>(std::atoi(arguments[1])) : 256;
    if (rows < 1 || rows > 4096) {
        std::cerr << "usage: multiply [ROWS]   (1 to 4096)\n";
        return EXIT_FAILURE;
    }
    std::vector<double> a(rows * rows), b(rows * rows), c(rows * rows), expected(rows * rows);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<double>(i % 7) - 3;
        b[i] = static_cast<double>(i % 11) - 5;
    }
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < rows; ++k)
            for (std::size_t j = 0; j < rows; ++j)
                expected[i * rows + j] += a[i * rows + k] * b[k * rows + j];

    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    unsigned used = 0;
    for (const cl::Device &device : devices_of(platforms.at(0))) {
        const std::string kernel = has_kernel(device, "dgemm") ? "dgemm" : "matrix_multiply";
        if (!has_kernel(device, kernel))
            continue;
        cl::Context context(device);
        cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
        cl::Program program(context, std::vector<cl::Device>{device}, kernel);
        cl::Buffer a_buffer(context, a.begin(), a.end(), true), b_buffer(context, b.begin(), b.end(), true);
        cl::Buffer c_buffer(context, CL_MEM_READ_WRITE, c.size() * sizeof(double));
        const cl::EnqueueArgs one(queue, cl::NDRange(1));
        cl::Event done;
        if (kernel == "dgemm") {
            // By columns: what is A B by rows is B A there.
            cl::KernelFunctor<cl_uint, cl_uint, cl_uint, cl_uint, cl_uint, cl_double, cl::Buffer, cl_uint,
                              cl::Buffer, cl_uint, cl_double, cl::Buffer, cl_uint>
                multiply(program, kernel);
            done = multiply(one, 0, 0, rows, rows, rows, 1.0, b_buffer, rows, a_buffer, rows, 0.0, c_buffer, rows);
        } else {
            cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl_uint, cl_uint> multiply(program, kernel);
            done = multiply(one, a_buffer, b_buffer, c_buffer, rows, rows);
        }
        cl::copy(queue, c_buffer, c.begin(), c.end());
        const cl_ulong time = done.getProfilingInfo<CL_PROFILING_COMMAND_END>()
                              - done.getProfilingInfo<CL_PROFILING_COMMAND_START>();
        const bool is_right = c == expected;
        std::cout << kernel << " on " << device.getInfo<CL_DEVICE_NAME>() << ": " << time << " ns, "
                  << (is_right ? "right" : "WRONG") << '\n';
        if (!is_right)
            return EXIT_FAILURE;
        ++used;
    }
    if (used == 0)
        std::cerr << "no device has a kernel for products of matrices\n";
    return used > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const cl::Error &error) {
    std::cerr << error.what() << ": " << error.err() << '\n';
    return EXIT_FAILURE;
}
