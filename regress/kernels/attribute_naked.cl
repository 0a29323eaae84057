// A function without prologue and epilogue returned to a wrong address and ended the process.
// fixed by: 84dfb57
// only on: MOCL3
// refused: error: attribute 'naked' is not supported in OpenCL programs
__attribute__((naked)) void f(void) {}

kernel void k(void)
{
    f();
}
