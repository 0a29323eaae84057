kernel void empty(global int *unused) {}
