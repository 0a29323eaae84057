// Integer divisions by zero, and of the most negative number by -1, ended the process with SIGFPE.
// OpenCL leaves only their results open (6.3).
// fixed by: 9bc938a
// options: -cl-opt-disable
// environment: MOCL3_LANES=0
// environment: MOCL3_LANES=8
// kernel: quotients
// global: 16
// local: 16
// arg: global int[16] = 2*(7 -2147483648 100 0 9 -9 5 6)
// arg: global int[16] = 2*(0 -1 7 0 0 3 -1 0)
// arg: global int[16] = 16*1
// expect: 2 = 2*(0 0 14 0 0 -3 -5 0)
kernel void quotients(global const int *x, global const int *y, global int *to)
{
    size_t i = get_global_id(0);
    int quotient = x[i] / y[i];
    int defined = y[i] != 0 && !(x[i] == INT_MIN && y[i] == -1);
    to[i] = defined ? quotient : 0;
}
