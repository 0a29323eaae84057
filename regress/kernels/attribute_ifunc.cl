// The resolver of an indirect function ran in the host process while the kernel was loaded.
// fixed by: 84dfb57
// only on: MOCL3
// refused: error: attribute 'ifunc' is not supported in OpenCL programs
static int g(int x)
{
    return x;
}

static void *resolver(void)
{
    return 0;
}

int f(int) __attribute__((ifunc("resolver")));

kernel void k(global int *x)
{
    *x = f(*x);
}
