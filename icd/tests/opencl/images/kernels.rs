//! Images as kernels see them, end to end.

use super::*;

/// Type in a kernel, type of the image, its extent, what a kernel's coordinates are.
type KernelImage = (&'static str, cl_mem_object_type, [usize; 3], &'static str);

/// All six types.
fn kernel_images() -> impl Iterator<Item = KernelImage> {
    let of_buffer = (CL_MEM_OBJECT_IMAGE1D_BUFFER, [9, 1, 1]);
    TYPES
        .into_iter()
        .chain([of_buffer])
        .map(|(image_type, extent)| {
            let (name, at) = in_kernel(image_type);
            (name, image_type, extent, at)
        })
}

/// What a format's pixels are in a kernel: the suffix of the functions, and the type.
fn class(data_type: cl_uint) -> (&'static str, &'static str) {
    match data_type {
        CL_SIGNED_INT8 | CL_SIGNED_INT16 | CL_SIGNED_INT32 => ("i", "int4"),
        CL_UNSIGNED_INT8 | CL_UNSIGNED_INT16 | CL_UNSIGNED_INT32 => ("ui", "uint4"),
        _ => ("f", "float4"),
    }
}

/// Copies an image of each type, with the functions of each class.
fn copies() -> String {
    let mut source = String::new();
    for (name, _, _, at) in kernel_images() {
        for suffix in ["f", "i", "ui"] {
            source.push_str(&format!(
                "kernel void copy_{name}_{suffix}(read_only {name} in, write_only {name} out) {{
                     int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
                     write_image{suffix}(out, {at}, read_image{suffix}(in, {at}));
                 }}\n"
            ));
        }
    }
    source
}

/// Pixels whose bytes survive a kernel's read and write: no NaN, zeros in the unused bits of a
/// format, and only one of the two normalized encodings of -1.
fn plain_pixels(data_type: cl_uint, bytes: usize) -> Vec<u8> {
    let mut pixels: Vec<u8> = (0..bytes)
        .map(|index| (index.wrapping_mul(0x9E37_79B1) >> 13) as u8)
        .collect();
    for (index, byte) in pixels.iter_mut().enumerate() {
        match (data_type, index % 4) {
            (CL_UNORM_SHORT_555, 1 | 3) => *byte &= 0x7F,
            (CL_UNORM_INT_101010, 3) => *byte &= 0x3F,
            (CL_HALF_FLOAT, 1 | 3) | (CL_FLOAT, 3) => *byte &= 0xBF,
            (CL_SNORM_INT8, _) | (CL_SNORM_INT16, 1 | 3) if *byte == 0x80 => *byte = 0x81,
            _ => {}
        }
    }
    pixels
}

#[test]
fn kernels_copy_images_of_every_type_and_format() {
    let session = Session::open();
    let program = session.built(&copies());
    for (name, image_type, extent, _) in kernel_images() {
        for format in session.supported(CL_MEM_OBJECT_IMAGE2D) {
            let data_type = format.image_channel_data_type;
            // Every format for one type, three for the others.
            let of_all = format.image_channel_order == CL_RGBA
                && matches!(
                    data_type,
                    CL_UNORM_INT8 | CL_FLOAT | CL_SIGNED_INT16 | CL_UNSIGNED_INT32
                );
            if image_type != CL_MEM_OBJECT_IMAGE2D && !of_all {
                continue;
            }
            let (suffix, _) = class(data_type);
            let kernel = session.kernel_of(program, &format!("copy_{name}_{suffix}"));
            let from = session.empty_image(&format, image_type, extent);
            let to = session.empty_image(&format, image_type, extent);
            let element_size = session.element_size(from);
            let bytes = plain_pixels(data_type, element_size * extent.iter().product::<usize>());
            ok(session.write_pixels(from, [0; 3], extent, (0, 0), &bytes));
            ok(session.set(kernel, 0, &from));
            ok(session.set(kernel, 1, &to));
            session.run(kernel, &extent);
            assert_eq!(
                session.all_pixels(to, extent, element_size),
                bytes,
                "{name} {:#x} {data_type:#x}",
                format.image_channel_order
            );
        }
    }
}

/// Two implementations of the conversions of section 8.3: the host's and the kernels'.
#[test]
fn a_kernel_writes_the_pixel_that_a_fill_writes() {
    let session = Session::open();
    let program = session.built(
        "kernel void write_f(write_only image2d_t out, global const float4 *colors) {
             int x = get_global_id(0);
             write_imagef(out, (int2)(x, 0), colors[x]);
         }
         kernel void write_i(write_only image2d_t out, global const int4 *colors) {
             int x = get_global_id(0);
             write_imagei(out, (int2)(x, 0), colors[x]);
         }
         kernel void write_ui(write_only image2d_t out, global const uint4 *colors) {
             int x = get_global_id(0);
             write_imageui(out, (int2)(x, 0), colors[x]);
         }",
    );
    let floats = [
        [0.0f32, 1.0, -1.0, 0.5],
        [0.1, 0.25, 0.75, 0.9999],
        [2.0, -2.0, 1e30, -1e30],
        [0.5 / 255.0, 1.5 / 255.0, 2.5 / 255.0, 126.5 / 255.0],
        [0.5 / 127.0, -0.5 / 127.0, 1.5 / 127.0, -127.5 / 127.0],
        [0.5 / 65535.0, 1.5 / 65535.0, 0.5 / 31.0, 0.5 / 63.0],
        [f32::INFINITY, f32::NEG_INFINITY, 1e-7, 6e-8],
        [65519.0, 65520.0, 3.0e-8, -0.0],
    ]
    .map(|color| color.map(f32::to_bits));
    let integers = [
        [0u32, 1, 127, 128],
        [255, 256, 32767, 32768],
        [65535, 65536, 0x7FFF_FFFF, 0x8000_0000],
        [0xFFFF_FFFF, 0xFFFF_FF80, 0xFFFF_FF7F, 0xFFFF_7FFF],
    ];
    for format in session.supported(CL_MEM_OBJECT_IMAGE2D) {
        let (suffix, _) = class(format.image_channel_data_type);
        let colors: &[[u32; 4]] = if suffix == "f" { &floats } else { &integers };
        let extent = [colors.len(), 1, 1];
        let kernel = session.kernel_of(program, &format!("write_{suffix}"));
        let written = session.empty_image(&format, CL_MEM_OBJECT_IMAGE2D, extent);
        let filled = session.empty_image(&format, CL_MEM_OBJECT_IMAGE2D, extent);
        ok(session.set(kernel, 0, &written));
        ok(session.set(kernel, 1, &session.buffer(colors)));
        session.run(kernel, &extent[..1]);
        for (x, color) in colors.iter().enumerate() {
            ok(session.fill_image(filled, color, [x, 0, 0], [1; 3]));
        }
        let element_size = session.element_size(written);
        assert_eq!(
            session.all_pixels(written, extent, element_size),
            session.all_pixels(filled, extent, element_size),
            "{:#x} {:#x}",
            format.image_channel_order,
            format.image_channel_data_type
        );
    }
}

#[test]
fn kernels_heed_the_pitches_of_host_memory() {
    let session = Session::open();
    let program = session.built(&copies());
    for (name, image_type, extent, _) in kernel_images() {
        if image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER {
            continue;
        }
        let uint = format(CL_R, CL_UNSIGNED_INT32);
        let slices = !matches!(image_type, CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE2D);
        let is_line_array = image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
        let row = extent[0] + 3;
        let slice = row * if is_line_array { 2 } else { extent[1] + 1 };
        let mut shape = desc(image_type, extent);
        shape.image_row_pitch = 4 * row;
        shape.image_slice_pitch = if slices { 4 * slice } else { 0 };
        let mut host: Vec<u32> = (0..(slice * extent[1] * extent[2]) as u32).collect();
        let start = host.as_mut_ptr().cast();
        let from = session.image_with(CL_MEM_USE_HOST_PTR, &uint, &shape, start);
        let to = session.empty_image(&uint, image_type, extent);
        let kernel = session.kernel_of(program, &format!("copy_{name}_ui"));
        ok(session.set(kernel, 0, &from));
        ok(session.set(kernel, 1, &to));
        session.run(kernel, &extent);
        let mut expected = Vec::new();
        for z in 0..extent[2] {
            for y in 0..extent[1] {
                for x in 0..extent[0] {
                    let place = if is_line_array {
                        y * slice + x
                    } else {
                        z * slice + y * row + x
                    };
                    expected.extend((place as u32).to_ne_bytes());
                }
            }
        }
        assert_eq!(session.all_pixels(to, extent, 4), expected, "{name}");
        // In the opposite direction, a kernel writes the image's pixels in host memory and leaves
        // the padding as it is.
        ok(session.fill_image(to, &[0xFFFF_FFFFu32; 4], [0; 3], extent));
        ok(session.set(kernel, 0, &to));
        ok(session.set(kernel, 1, &from));
        session.run(kernel, &extent);
        // SAFETY: the handles are valid.
        unsafe {
            ok(clFinish(session.queue));
            ok(clReleaseMemObject(from));
        }
        let written = host.iter().filter(|word| **word == u32::MAX).count();
        assert_eq!(written, extent.iter().product::<usize>());
        assert_eq!(host[0], u32::MAX);
        assert_eq!(host[extent[0]], extent[0] as u32, "between the rows");
    }
}

/// Programs round index spaces up; what lies behind an image is not theirs to write.
#[test]
fn what_is_written_outside_of_an_image_is_lost() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void whiten(write_only image2d_t out) {
             int x = get_global_id(0) - 2, y = get_global_id(1) - 2;
             write_imageui(out, (int2)(x, y), 0xFFFFFFFF);
         }",
        "whiten",
    );
    // Rows of 8 pixels, of which 5 are the image's; rows before and after it.
    let mut host = [0u32; 8 * 10];
    let mut shape = desc(CL_MEM_OBJECT_IMAGE2D, [5, 6, 1]);
    shape.image_row_pitch = 8 * 4;
    let start = host[16..].as_mut_ptr().cast();
    let uint = format(CL_R, CL_UNSIGNED_INT32);
    let image = session.image_with(CL_MEM_USE_HOST_PTR, &uint, &shape, start);
    ok(session.set(kernel, 0, &image));
    session.run(kernel, &[9, 10]);
    // SAFETY: the handles are valid.
    unsafe {
        ok(clFinish(session.queue));
        ok(clReleaseMemObject(image));
    }
    for (place, word) in host.into_iter().enumerate() {
        let inside = (2..8).contains(&(place / 8)) && place % 8 < 5;
        assert_eq!(word == u32::MAX, inside, "{place}");
    }
}

/// OpenCL 1.2 requires no alignment of host memory.
#[test]
fn kernels_use_host_memory_at_any_address() {
    let session = Session::open();
    let program = session.built(&copies());
    let extent = [37, 3, 1];
    for format in session.supported(CL_MEM_OBJECT_IMAGE2D) {
        let data_type = format.image_channel_data_type;
        let kernel = session.kernel_of(program, &format!("copy_image2d_t_{}", class(data_type).0));
        let shape = desc(CL_MEM_OBJECT_IMAGE2D, extent);
        let (mut from, mut to) = (vec![0u8; 16 * 37 * 3 + 1], vec![0u8; 16 * 37 * 3 + 1]);
        let [from_image, to_image] = [&mut from, &mut to].map(|memory| {
            let odd = 1 - memory.as_ptr().addr() % 2;
            let start = memory[odd..].as_mut_ptr();
            (
                odd,
                session.image_with(CL_MEM_USE_HOST_PTR, &format, &shape, start.cast()),
            )
        });
        let element_size = session.element_size(to_image.1);
        let used = 37 * 3 * element_size;
        let pixels = plain_pixels(data_type, used);
        ok(session.write_pixels(from_image.1, [0; 3], extent, (0, 0), &pixels));
        ok(session.set(kernel, 0, &from_image.1));
        ok(session.set(kernel, 1, &to_image.1));
        session.run(kernel, &extent);
        // SAFETY: the handles are valid.
        unsafe {
            ok(clFinish(session.queue));
            ok(clReleaseMemObject(from_image.1));
            ok(clReleaseMemObject(to_image.1));
        }
        assert_eq!(to[to_image.0..][..used], pixels);
    }
}

#[test]
fn the_last_pixel_of_the_largest_image_is_there() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void last(write_only image2d_t image) {
             int2 size = get_image_dim(image);
             write_imagef(image, size - 1, (float4)(1, 2, 3, 4));
         }",
        "last",
    );
    let mut width = 0usize;
    let to = std::ptr::from_mut(&mut width).cast();
    // SAFETY: the value has the size passed.
    ok(unsafe {
        clGetDeviceInfo(
            session.devices[0],
            CL_DEVICE_IMAGE2D_MAX_WIDTH,
            8,
            to,
            null_mut(),
        )
    });
    let shape = [width, width, 1];
    let image = session.empty_image(&format(CL_RGBA, CL_FLOAT), CL_MEM_OBJECT_IMAGE2D, shape);
    ok(session.set(kernel, 0, &image));
    session.run(kernel, &[1]);
    let mut pixel = [0u8; 16];
    let last = [width - 1, width - 1, 0];
    ok(session.read_pixels(image, last, [1; 3], (0, 0), &mut pixel));
    let expected: Vec<u8> = [1f32, 2., 3., 4.]
        .iter()
        .flat_map(|c| c.to_le_bytes())
        .collect();
    assert_eq!(pixel[..], expected);
    // SAFETY: the handle is valid.
    ok(unsafe { clReleaseMemObject(image) });
}

#[test]
fn kernels_query_size_and_format() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void ask(image1d_t a, image1d_array_t b, image1d_buffer_t c, image2d_t d,
                         image2d_array_t e, write_only image3d_t f, global int *out) {
             int results[] = {
                 get_image_width(a), get_image_width(b), get_image_array_size(b),
                 get_image_width(c), get_image_width(d), get_image_height(d),
                 get_image_dim(d).x, get_image_dim(d).y, get_image_width(e),
                 get_image_height(e), get_image_array_size(e), get_image_width(f),
                 get_image_height(f), get_image_depth(f), get_image_dim(f).z,
                 get_image_channel_order(a), get_image_channel_data_type(f)};
             for (int i = 0; i < 17; i++)
                 out[i] = results[i];
         }",
        "ask",
    );
    let pixel = format(CL_BGRA, CL_UNORM_INT8);
    for (index, image_type) in [
        CL_MEM_OBJECT_IMAGE1D,
        CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE1D_BUFFER,
        CL_MEM_OBJECT_IMAGE2D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY,
        CL_MEM_OBJECT_IMAGE3D,
    ]
    .into_iter()
    .enumerate()
    {
        let (_, _, extent, _) = kernel_images().find(|row| row.1 == image_type).unwrap();
        let image = session.empty_image(&pixel, image_type, extent);
        ok(session.set(kernel, index as u32, &image));
    }
    let out = session.buffer(&[0i32; 17]);
    ok(session.set(kernel, 6, &out));
    session.run(kernel, &[1]);
    let clk = [CL_BGRA as i32, CL_UNORM_INT8 as i32];
    let sizes = [7, 5, 6, 9, 9, 5, 9, 5, 6, 5, 4, 5, 4, 3, 3];
    assert_eq!(session.read::<i32>(out, 17), [&sizes[..], &clk].concat());
}

#[test]
fn an_image_of_a_buffer_and_the_buffer_are_one_memory() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void twice(read_only image1d_buffer_t in, global int *x) {
             int i = get_global_id(0);
             x[i] = read_imagei(in, i).x * 2;
         }",
        "twice",
    );
    let numbers: Vec<i32> = (0..100).map(|number| number - 50).collect();
    let buffer = session.buffer(&numbers);
    let mut shape = desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, [100, 1, 1]);
    shape.buffer = buffer;
    let image = session.image_with(0, &format(CL_R, CL_SIGNED_INT32), &shape, null_mut());
    ok(session.set(kernel, 0, &image));
    ok(session.set(kernel, 1, &buffer));
    session.run(kernel, &[100]);
    let doubled: Vec<i32> = numbers.iter().map(|number| number * 2).collect();
    assert_eq!(session.read::<i32>(buffer, 100), doubled);
}

#[test]
fn a_launch_keeps_its_images() {
    let session = Session::open();
    let program = session.built(&copies());
    let kernel = session.kernel_of(program, "copy_image2d_t_f");
    let extent = [64, 64, 1];
    let pixel = format(CL_RGBA, CL_UNORM_INT8);
    let bytes = plain_pixels(CL_UNORM_INT8, 64 * 64 * 4);
    let from = session.image(&pixel, CL_MEM_OBJECT_IMAGE2D, extent, &bytes);
    let to = session.empty_image(&pixel, CL_MEM_OBJECT_IMAGE2D, extent);
    let other = session.empty_image(&pixel, CL_MEM_OBJECT_IMAGE2D, extent);
    ok(session.set(kernel, 0, &from));
    ok(session.set(kernel, 1, &to));
    // SAFETY: the handles are valid until they are released.
    unsafe {
        let gate = made(|code| clCreateUserEvent(session.context, code));
        ok(session.launch(session.queue, kernel, &extent, None, &[gate], null_mut()));
        ok(session.set(kernel, 0, &other));
        ok(clReleaseMemObject(from));
        ok(clReleaseKernel(kernel));
        ok(clSetUserEventStatus(gate, CL_COMPLETE));
        ok(clWaitForEvents(1, &gate));
        assert_eq!(clReleaseMemObject(null_mut()), CL_INVALID_MEM_OBJECT);
        ok(clEnqueueBarrierWithWaitList(
            session.queue,
            0,
            null(),
            null_mut(),
        ));
    }
    assert_eq!(session.all_pixels(to, extent, 4), bytes);
}
