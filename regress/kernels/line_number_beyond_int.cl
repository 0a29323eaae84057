// Line numbers beyond 2147483647 wrapped around in clang's diagnostics: a blank column became four
// gigabytes wide.
// fixed by: 959a361
// only on: MOCL3
// refused: a line number beyond 2147483647
kernel void k(global int *x)
{
    int a =
#line 4294967295
g(b , c = d(1)e if (x)
;
}
