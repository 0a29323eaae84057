"""Filters a frame on the accelerators of a custom device, and compares the result with NumPy's.

    MOCL3_MACHINE=dsp python3 fir.py
"""

import numpy as np
import pyopencl as cl

devices = [
    device
    for platform in cl.get_platforms()
    for device in platform.get_devices(cl.device_type.CUSTOM)
    if "real_fir" in device.built_in_kernels.split(";")
]
if not devices:
    raise SystemExit("no device has the built-in kernel real_fir: MOCL3_MACHINE=dsp")
context = cl.Context(devices[:1])
queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
program = cl.create_program_with_built_in_kernels(context, devices[:1], "real_fir")
kernel = cl.Kernel(program, "real_fir")

n, taps = 40, 16
random = np.random.default_rng(1)
samples = random.standard_normal(n + taps - 1).astype(np.float32)
coefficients = random.standard_normal(taps).astype(np.float32)
filtered = np.empty(n, np.float32)
flags = cl.mem_flags
x = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=samples)
h = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=coefficients)
y = cl.Buffer(context, flags.WRITE_ONLY, filtered.nbytes)
event = kernel(queue, (1,), None, x, h, y, np.uint32(n), np.uint32(taps))
cl.enqueue_copy(queue, filtered, y)
np.testing.assert_allclose(filtered, np.convolve(samples, coefficients, "valid"), rtol=1e-5, atol=1e-5)
print(f"filtered {n} samples with {taps} coefficients in {event.profile.end - event.profile.start} ns")
