// clang crashed on calls of functions with the calling convention of kernels.
// fixed by: 1f2da0e
// only on: MOCL3
// refused: error: attribute 'device_kernel' is not supported in OpenCL programs
__attribute__((device_kernel)) void f(void) {}

kernel void k(void)
{
    f();
}
