"""ElementwiseKernel: linear combinations, in float, double and complex."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl.elementwise import ElementwiseKernel

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
rng = np.random.default_rng(3)

for c_type, dtype, tolerance in (("float", np.float32, 1e-5), ("double", np.float64, 1e-13)):
    x = rng.random(100_003).astype(dtype)
    y = rng.random(100_003).astype(dtype)
    x_device = cl_array.to_device(queue, x)
    y_device = cl_array.to_device(queue, y)
    z_device = cl_array.empty_like(x_device)
    combine = ElementwiseKernel(
        context,
        f"{c_type} a, {c_type} *x, {c_type} b, {c_type} *y, {c_type} *z",
        "z[i] = weighted(a, x[i]) + b * y[i]",
        "combine",
        preamble=f"{c_type} weighted({c_type} a, {c_type} x) {{ return a * x; }}",
    )
    combine(dtype(5), x_device, dtype(6), y_device, z_device)
    np.testing.assert_allclose(z_device.get(), 5 * x + 6 * y, rtol=tolerance)

x = (rng.random(1000) + 1j * rng.random(1000)).astype(np.complex64)
x_device = cl_array.to_device(queue, x)
square = ElementwiseKernel(
    context,
    "cfloat_t *x",
    "x[i] = cfloat_mul(x[i], x[i])",
    "square",
    preamble="#include <pyopencl-complex.h>",
)
square(x_device)
np.testing.assert_allclose(x_device.get(), x * x, rtol=1e-5)
print("elementwise kernels: float, double and complex are right")
