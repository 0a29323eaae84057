"""ReductionKernel: dot product, sum, minimum and maximum, in local memory with barriers."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl.reduction import ReductionKernel

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
rng = np.random.default_rng(4)

for count in (1, 31, 1000, 400_003):
    a = rng.random(count, dtype=np.float32)
    b = rng.random(count, dtype=np.float32)
    a_device = cl_array.to_device(queue, a)
    b_device = cl_array.to_device(queue, b)

    dot = ReductionKernel(
        context,
        np.float32,
        neutral="0",
        reduce_expr="a + b",
        map_expr="x[i] * y[i]",
        arguments="__global const float *x, __global const float *y",
    )
    np.testing.assert_allclose(
        dot(a_device, b_device).get(), np.dot(a.astype(np.float64), b), rtol=1e-4
    )

    integers = rng.integers(-(2**31), 2**31 - 1, count, dtype=np.int32)
    integers_device = cl_array.to_device(queue, integers)
    largest = ReductionKernel(
        context,
        np.int32,
        neutral="INT_MIN",
        reduce_expr="max(a, b)",
        map_expr="x[i]",
        arguments="__global const int *x",
    )
    assert largest(integers_device).get() == integers.max()
    assert cl_array.min(integers_device).get() == integers.min()
    assert cl_array.sum(integers_device, dtype=np.dtype(np.int64)).get() == integers.sum(
        dtype=np.int64
    )
print("reduction kernels: dot, max, min and sum are right")
