"""Scans: inclusive, exclusive, segmented, and a scan that compacts an array."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl.scan import ExclusiveScanKernel, GenericScanKernel, InclusiveScanKernel

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
rng = np.random.default_rng(5)

inclusive = InclusiveScanKernel(context, np.int32, "a+b", neutral="0")
exclusive = ExclusiveScanKernel(context, np.int32, "a+b", neutral="0")
segmented = GenericScanKernel(
    context,
    np.int32,
    arguments="__global const int *x, __global const char *starts, __global int *out",
    input_expr="x[i]",
    scan_expr="across_seg_boundary ? b : (a + b)",
    neutral="0",
    is_segment_start_expr="starts[i]",
    output_statement="out[i] = item;",
)
compact = GenericScanKernel(
    context,
    np.int32,
    arguments="__global const int *x, __global int *out, __global int *count",
    input_expr="(x[i] > 300) ? 1 : 0",
    scan_expr="a + b",
    neutral="0",
    output_statement="""
        if (prev_item != item) out[item - 1] = x[i];
        if (i + 1 == N) *count = item;
    """,
)

for count in (1, 10, 257, 5_000, 200_001):
    x = rng.integers(0, 1000, count, dtype=np.int32)

    x_device = cl_array.to_device(queue, x)
    inclusive(x_device)
    np.testing.assert_array_equal(x_device.get(), np.cumsum(x))

    x_device = cl_array.to_device(queue, x)
    exclusive(x_device)
    np.testing.assert_array_equal(x_device.get(), np.cumsum(x) - x)

    starts = (rng.random(count) < 0.01).astype(np.int8)
    starts[0] = 1
    sums = np.cumsum(x)
    before = np.maximum.accumulate(np.where(starts, sums - x, 0))
    x_device = cl_array.to_device(queue, x)
    out_device = cl_array.empty_like(x_device)
    segmented(x_device, cl_array.to_device(queue, starts), out_device)
    np.testing.assert_array_equal(out_device.get(), sums - before)

    out_device = cl_array.zeros(queue, count, np.int32)
    count_device = cl_array.zeros(queue, 1, np.int32)
    compact(x_device, out_device, count_device)
    kept = x[x > 300]
    assert int(count_device.get()[0]) == kept.size
    np.testing.assert_array_equal(out_device.get()[: kept.size], kept)
print("scan kernels: inclusive, exclusive, segmented and compacting are right")
