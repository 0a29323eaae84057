"""Transforms, multiplies and solves with the vendor's library, and compares the results with NumPy's.

    python3 transform.py
"""

import numpy as np
import pyopencl as cl

devices = [
    device
    for platform in cl.get_platforms()
    for device in platform.get_devices()
    if "zfft" in device.built_in_kernels.split(";")
]
if not devices:
    raise SystemExit("no device has the built-in kernel zfft")
context = cl.Context(devices[:1])
queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
program = cl.create_program_with_built_in_kernels(context, devices[:1], "zfft;dgemm;vd_sin")
random = np.random.default_rng(1)
flags = cl.mem_flags


def buffer(array):
    return cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=array)


def run(name, *arguments):
    event = cl.Kernel(program, name)(queue, (1,), None, *arguments)
    event.wait()
    print(f"{name}: {event.profile.end - event.profile.start} ns")


def check(memory, expected):
    found = np.empty_like(expected)
    cl.enqueue_copy(queue, found, memory)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


# Two transforms of 48 x 32 points; the last index is contiguous.
points = random.standard_normal((2, 48, 32)) + 1j * random.standard_normal((2, 48, 32))
z = buffer(points)
run("zfft", z, np.uint32(32), np.uint32(48), np.uint32(1), np.uint32(2), np.uint32(0))
check(z, np.fft.fft2(points))

a, b = np.asfortranarray(random.standard_normal((70, 50))), np.asfortranarray(random.standard_normal((50, 60)))
c = cl.Buffer(context, flags.READ_WRITE, 70 * 60 * 8)
sizes = [np.uint32(size) for size in (0, 0, 70, 60, 50)]
run("dgemm", *sizes, np.float64(1), buffer(a), np.uint32(70), buffer(b), np.uint32(50), np.float64(0), c, np.uint32(70))
check(c, np.asfortranarray(a @ b))

x = random.standard_normal(1000)
y = cl.Buffer(context, flags.WRITE_ONLY, x.nbytes)
run("vd_sin", buffer(x), y, np.uint32(x.size))
check(y, np.sin(x))
