"""What a user of the wheel does, with PyOpenCL from PyPI."""

import sys

import numpy
import pyopencl

[platform] = [one for one in pyopencl.get_platforms() if one.name == "MOCL3"]
context = pyopencl.Context(platform.get_devices()[:1])
queue = pyopencl.CommandQueue(context)
numbers = numpy.arange(1 << 16, dtype=numpy.float32)
flags = pyopencl.mem_flags
buffer = pyopencl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=numbers)
source = """
kernel void reverse(global float *x) {
    size_t i = get_global_id(0), last = 2 * get_global_size(0) - 1;
    float low = x[i];
    x[i] = 2 * x[last - i];
    x[last - i] = 2 * low;
}
"""
program = pyopencl.Program(context, source).build()
program.reverse(queue, (numbers.size // 2,), None, buffer)
result = numpy.empty_like(numbers)
pyopencl.enqueue_copy(queue, result, buffer)
assert numpy.array_equal(result, 2 * numbers[::-1]), result

with open("/proc/self/maps") as maps:
    loaded = {line.split()[-1] for line in maps if "/" in line}
for name in ("libmocl3", "libOpenCL"):
    [path] = [path for path in loaded if name in path]
    assert path.startswith(sys.prefix), f"{path} is not the wheel's"
llvm = [path for path in loaded if "libLLVM" in path or "libclang" in path]
assert not llvm, f"{llvm} is needed, which users do not have"
print("MOCL3 with LLVM in it and the loader are the environment's own; the result is right")
