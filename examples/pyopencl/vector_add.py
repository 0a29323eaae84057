"""Vector add as in PyOpenCL's own introduction: a program, buffers, a queue."""

import numpy as np
import pyopencl as cl

rng = np.random.default_rng(1)
a = rng.random(50_000, dtype=np.float32)
b = rng.random(50_000, dtype=np.float32)

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
flags = cl.mem_flags
a_buffer = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=a)
b_buffer = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=b)
sum_buffer = cl.Buffer(context, flags.WRITE_ONLY, a.nbytes)

program = cl.Program(
    context,
    """
    __kernel void sum(__global const float *a, __global const float *b, __global float *c)
    {
        int i = get_global_id(0);
        c[i] = a[i] + b[i];
    }
    """,
).build()
program.sum(queue, a.shape, None, a_buffer, b_buffer, sum_buffer)

result = np.empty_like(a)
cl.enqueue_copy(queue, result, sum_buffer)
np.testing.assert_array_equal(result, a + b)
print(f"vector add: {result.size} sums are right on {context.devices[0].name}")
