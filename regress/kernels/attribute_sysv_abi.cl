// A kernel with a calling convention of its own was not found in its program.
// fixed by: 1f2da0e
// only on: MOCL3
// refused: error: attribute 'sysv_abi' is not supported in OpenCL programs
__attribute__((sysv_abi)) kernel void k(global int *to)
{
    *to = 1;
}
