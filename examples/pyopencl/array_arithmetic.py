"""Arithmetic, comparison, functions and copies of pyopencl.array."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.clmath as clmath

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
rng = np.random.default_rng(2)
checks = 0


def check(device_array, expected, tolerance=0.0):
    """Compares an array on the device with numpy's."""
    global checks
    np.testing.assert_allclose(device_array.get(), expected, rtol=tolerance, atol=0)
    checks += 1


for dtype, tolerance in ((np.float32, 1e-5), (np.float64, 1e-13)):
    a = rng.random((123, 457)).astype(dtype) + dtype(0.5)
    b = rng.random((123, 457)).astype(dtype) + dtype(0.5)
    a_device = cl_array.to_device(queue, a)
    b_device = cl_array.to_device(queue, b)
    check(a_device + b_device, a + b)
    check(a_device - b_device, a - b)
    check(a_device * b_device, a * b)
    check(a_device / b_device, a / b, tolerance)
    check(dtype(2) * a_device + dtype(3), dtype(2) * a + dtype(3), tolerance)
    check(-a_device, -a)
    check(a_device**2, a**2, tolerance)
    check(clmath.sqrt(a_device), np.sqrt(a), tolerance)
    check(clmath.exp(a_device), np.exp(a), tolerance)
    check(clmath.sin(a_device), np.sin(a), tolerance)
    check(a_device.copy(), a)
    check(cl_array.maximum(a_device, b_device), np.maximum(a, b))
    a_device += b_device
    check(a_device, a + b)

i = rng.integers(-1000, 1000, 10_007, dtype=np.int32)
j = rng.integers(1, 1000, 10_007, dtype=np.int32)
i_device = cl_array.to_device(queue, i)
j_device = cl_array.to_device(queue, j)
check(i_device + j_device, i + j)
check(i_device * j_device, i * j)
check(i_device & j_device, i & j)
check(i_device ^ j_device, i ^ j)
check((i_device < j_device).astype(np.int32), (i < j).astype(np.int32))
check(cl_array.arange(queue, 0, 1000, 1, dtype=np.int32), np.arange(1000, dtype=np.int32))
check(cl_array.zeros(queue, 777, np.float32), np.zeros(777, np.float32))
check(i_device[100:200], i[100:200])
check(cl_array.take(i_device, cl_array.arange(queue, 0, 50, dtype=np.int32) * 3), i[:150:3])
check(cl_array.if_positive(i_device, i_device, j_device), np.where(i > 0, i, j))
print(f"array arithmetic: {checks} comparisons with numpy are right")
