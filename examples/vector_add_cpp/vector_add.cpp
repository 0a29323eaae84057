// The first program of every OpenCL tutorial, in C++ with the bindings of CL/opencl.hpp.
//
//   c++ -o vector_add vector_add.cpp -lOpenCL
//   ./vector_add

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <iostream>
#include <string>
#include <vector>

static const std::string source = R"(
    __kernel void vector_add(__global const int *a, __global const int *b, __global int *c)
    {
        const size_t i = get_global_id(0);
        c[i] = a[i] + b[i];
    }
)";

int main()
try {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    std::vector<cl::Device> devices;
    platforms.at(0).getDevices(CL_DEVICE_TYPE_ALL, &devices);
    const cl::Device device = devices.at(0);
    std::cout << "device: " << device.getInfo<CL_DEVICE_NAME>() << '\n';

    cl::Context context(device);
    cl::CommandQueue queue(context, device);
    cl::Program program(context, source);
    try {
        program.build({device}, "-cl-std=CL1.2");
    } catch (const cl::Error &) {
        std::cerr << program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
        throw;
    }

    const std::size_t count = 1 << 16;
    std::vector<int> a(count), b(count), c(count, -1);
    for (std::size_t i = 0; i < count; ++i) {
        a[i] = static_cast<int>(i);
        b[i] = static_cast<int>(3 * i);
    }
    cl::Buffer a_buffer(context, a.begin(), a.end(), true);
    cl::Buffer b_buffer(context, b.begin(), b.end(), true);
    cl::Buffer c_buffer(context, CL_MEM_WRITE_ONLY, count * sizeof(int));

    // The kernel functor, with a work-group size that the implementation chooses.
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer> vector_add(program, "vector_add");
    cl::Event done =
        vector_add(cl::EnqueueArgs(queue, cl::NDRange(count)), a_buffer, b_buffer, c_buffer);
    done.wait();
    cl::copy(queue, c_buffer, c.begin(), c.end());

    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i)
        wrong += c[i] != a[i] + b[i];
    std::cout << count - wrong << " of " << count << " sums are right\n";
    return wrong == 0 ? 0 : 1;
} catch (const cl::Error &error) {
    std::cerr << error.what() << " failed with OpenCL error " << error.err() << '\n';
    return 1;
}
