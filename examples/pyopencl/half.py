"""Half precision: numpy's float16 against the device's half, bit by bit."""

import numpy as np
import pyopencl as cl

rng = np.random.default_rng(6)
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
flags = cl.mem_flags

program = cl.Program(
    context,
    """
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    __kernel void arithmetic(half c, __global const half *a, __global const half *b,
                             __global half *results)
    {
        size_t i = get_global_id(0), n = get_global_size(0);
        results[i] = a[i] + b[i];
        results[n + i] = a[i] - b[i];
        results[2 * n + i] = a[i] * b[i];
        results[3 * n + i] = a[i] / b[i];
        results[4 * n + i] = sqrt(a[i]);
        results[5 * n + i] = a[i] * c;
    }
    __kernel void narrow(__global const float *x, __global const double *y,
                         __global half *results)
    {
        size_t i = get_global_id(0), n = get_global_size(0);
        results[i] = x[i];
        results[n + i] = convert_half(y[i]);
        vstore_half(y[i], 2 * n + i, results);
    }
    """,
).build()


def same(got, expected):
    """Whether halves have the same bits, any NaN being as good as another."""
    both_nan = np.isnan(got) & np.isnan(expected)
    np.testing.assert_array_equal(
        np.where(both_nan, 0, got.view(np.uint16)), np.where(both_nan, 0, expected.view(np.uint16))
    )


def run(kernel, count, rows, *arguments):
    """Runs a kernel whose last argument is for rows of halves."""
    results = np.empty((rows, count), np.float16)
    buffer = cl.Buffer(context, flags.WRITE_ONLY, results.nbytes)
    inputs = [
        cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=argument)
        if isinstance(argument, np.ndarray)
        else argument
        for argument in arguments
    ]
    kernel(queue, (count,), None, *inputs, buffer)
    cl.enqueue_copy(queue, results, buffer)
    return results


a = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
b = rng.permutation(a)
c = np.float16(1.1)
with np.errstate(all="ignore"):
    expected = (a + b, a - b, a * b, a / b, np.sqrt(a), a * c)
    for got, right in zip(run(program.arithmetic, a.size, 6, c, a, b), expected):
        same(got, right)

    # Doubles next to the midpoint of two halves: they must be rounded once only.
    y = (a.astype(np.float64) + np.nextafter(a, np.float16(0)).astype(np.float64)) / 2
    y *= 1 + rng.choice([0, 1e-12, -1e-12], y.size)
    x = y.astype(np.float32)
    got = run(program.narrow, y.size, 3, x, y)
    for row, right in zip(got, (x.astype(np.float16), y.astype(np.float16), y.astype(np.float16))):
        same(row, right)
print(f"half precision: {9 * a.size} results are numpy's, bit by bit")
