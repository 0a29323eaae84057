"""Images: filtered and sampled by kernels, copied, filled and mapped by the host."""

import numpy as np
import pyopencl as cl

SOURCE = """
kernel void blur(read_only image2d_t in, write_only image2d_t out, sampler_t edge) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += read_imagef(in, edge, at + (int2)(x, y));
    write_imagef(out, at, sum / 9);
}

constant sampler_t stretch =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void enlarge(read_only image2d_t in, write_only image2d_t out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 size = convert_float2(get_image_dim(out));
    write_imagef(out, at, read_imagef(in, stretch, (convert_float2(at) + 0.5f) / size));
}

kernel void shift(read_only image3d_t in, write_only image3d_t out) {
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    write_imagef(out, at, read_imagef(in, at.yxzw));
}
"""

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, SOURCE).build()
rng = np.random.default_rng(7)
flags = cl.mem_flags
float_r = cl.ImageFormat(cl.channel_order.R, cl.channel_type.FLOAT)


def pixels(image, like):
    """All pixels of an image, as an array like another."""
    result = np.empty_like(like)
    cl.enqueue_copy(queue, result, image, origin=(0,) * len(image.shape), region=image.shape)
    return result


# A grey image of bytes, blurred; the edge repeats outside.
grey = rng.integers(0, 256, (48, 64), dtype=np.uint8)
source = cl.image_from_array(context, grey, norm_int=True)
blurred = cl.create_image(context, flags.WRITE_ONLY, float_r, shape=(64, 48))
edge = cl.Sampler(context, False, cl.addressing_mode.CLAMP_TO_EDGE, cl.filter_mode.NEAREST)
program.blur(queue, (64, 48), None, source, blurred, edge)
wide = np.pad(grey / 255.0, 1, mode="edge")
expected = sum(wide[y : y + 48, x : x + 64] for y in range(3) for x in range(3)) / 9
np.testing.assert_allclose(pixels(blurred, np.empty((48, 64), np.float32)), expected, atol=1e-6)

# Twice as large, with linear filtering: between (0, 1) and (2, 3).
small = cl.image_from_array(context, np.array([[0, 1], [2, 3]], np.float32))
large = cl.create_image(context, flags.WRITE_ONLY, float_r, shape=(4, 4))
program.enlarge(queue, (4, 4), None, small, large)
steps = np.array([0, 0.25, 0.75, 1], np.float32)
expected = steps[None, :] + 2 * steps[:, None]
np.testing.assert_allclose(pixels(large, expected), expected, atol=1e-2)

# A volume, transposed slice by slice.
volume = rng.random((3, 5, 5), dtype=np.float32)
reads = flags.READ_ONLY | flags.COPY_HOST_PTR
before = cl.create_image(context, reads, float_r, shape=(5, 5, 3), hostbuf=volume)
after = cl.create_image(context, flags.WRITE_ONLY, float_r, shape=(5, 5, 3))
program.shift(queue, (5, 5, 3), None, before, after)
np.testing.assert_array_equal(pixels(after, volume), volume.transpose(0, 2, 1))

# A row pitch in the host's memory; copies through a buffer; a part of an image.
colours = rng.random((33, 47, 4), dtype=np.float32)
apart = np.zeros((33, 64, 4), np.float32)
apart[:, :47] = colours
rgba = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT)
image = cl.create_image(context, reads, rgba, shape=(47, 33), pitches=(64 * 16,), hostbuf=apart)
buffer = cl.Buffer(context, flags.READ_WRITE, colours.nbytes)
other = cl.create_image(context, flags.READ_WRITE, rgba, shape=(47, 33))
whole = {"origin": (0, 0), "region": (47, 33)}
cl.enqueue_copy(queue, buffer, image, offset=0, **whole)
cl.enqueue_copy(queue, other, buffer, offset=0, **whole)
np.testing.assert_array_equal(pixels(other, colours), colours)
part = {"src_origin": (0, 0), "dest_origin": (7, 3), "region": (40, 30)}
cl.enqueue_copy(queue, other, image, **part)
np.testing.assert_array_equal(pixels(other, colours)[3:, 7:], colours[:30, :40])

# Filled by the device, read and changed through a map.
colour = np.array([1, 2, 3, 4], np.float32)
cl.enqueue_fill_image(queue, other, colour, (0, 0), (47, 33))
access = cl.map_flags.READ | cl.map_flags.WRITE
mapped, *_ = cl.enqueue_map_image(queue, other, access, (0, 0), (47, 33), (33, 47, 4), np.float32)
assert (mapped == colour).all()
mapped[10, 20] = 5
mapped.base.release(queue)
assert (pixels(other, colours)[10, 20] == 5).all()

# An image of the rows of a buffer, if the device supports it.
if "cl_khr_image2d_from_buffer" in context.devices[0].extensions:
    rows = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=apart)
    descriptor = cl.ImageDescriptor()
    descriptor.image_type = cl.mem_object_type.IMAGE2D
    descriptor.shape = (47, 33, 0)
    descriptor.pitches = (64 * 16, 0)
    descriptor.num_mip_levels = descriptor.num_samples = 0
    descriptor.buffer = rows
    view = cl.Image(context, flags.READ_WRITE, rgba, desc=descriptor)
    np.testing.assert_array_equal(pixels(view, colours), colours)
    cl.enqueue_fill_image(queue, view, colour, (40, 0), (7, 33))
    changed = np.empty_like(apart)
    cl.enqueue_copy(queue, changed, rows)
    assert (changed[:, 40:47] == colour).all()
    np.testing.assert_array_equal(changed[:, :40], apart[:, :40])
    assert (changed[:, 47:] == 0).all()

print("images: filters, samplers, volumes, copies, fills and maps are right")
