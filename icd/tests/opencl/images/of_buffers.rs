//! Images made of a buffer.

use super::*;

#[test]
fn an_image_of_a_buffer_shares_its_bytes_and_flags() {
    let session = Session::open();
    let words: Vec<u32> = (0..64).collect();
    let buffer = session.buffer(&words);
    let uint = format(CL_R, CL_UNSIGNED_INT32);
    let shape = |width, buffer| {
        let mut desc = desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, [width, 1, 1]);
        desc.buffer = buffer;
        desc
    };
    let image = session.image_with(0, &uint, &shape(60, buffer), null_mut());
    ok(session.fill_image(image, &[7u32; 4], [10, 0, 0], [5, 1, 1]));
    let mut expected = words.clone();
    expected[10..15].fill(7);
    assert_eq!(session.read::<u32>(buffer, 64), expected);
    assert_eq!(
        session.image_info::<usize>(image, CL_IMAGE_BUFFER),
        buffer as usize
    );
    assert_eq!(
        session.mem_info::<usize>(image, CL_MEM_ASSOCIATED_MEMOBJECT),
        buffer as usize
    );
    assert_eq!(session.image_info::<usize>(image, CL_IMAGE_HEIGHT), 0);
    // The buffer lives as long as the image.
    // SAFETY: the handle is valid.
    ok(unsafe { clReleaseMemObject(buffer) });
    let mut pixel = [0; 4];
    ok(session.read_pixels(image, [14, 0, 0], [1; 3], (0, 0), &mut pixel));
    assert_eq!(pixel, [7, 0, 0, 0]);

    let flags = CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY;
    // SAFETY: the buffer has no host memory.
    let buffer =
        made(|code| unsafe { clCreateBuffer(session.context, flags, 256, null_mut(), code) });
    let image = session.image_with(0, &uint, &shape(64, buffer), null_mut());
    assert_eq!(session.mem_info::<u64>(image, CL_MEM_FLAGS), flags);
    let code = |flags, desc: &cl_image_desc| {
        // SAFETY: the pointers are to locals.
        refused(|code| unsafe {
            clCreateImage(session.context, flags, &uint, desc, null_mut(), code)
        })
    };
    for flags in [
        CL_MEM_READ_WRITE,
        CL_MEM_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY,
        CL_MEM_ALLOC_HOST_PTR,
    ] {
        assert_eq!(code(flags, &shape(64, buffer)), CL_INVALID_VALUE);
    }
    assert_eq!(code(0, &shape(65, buffer)), CL_INVALID_IMAGE_DESCRIPTOR);
    assert_eq!(code(0, &shape(1 << 40, buffer)), CL_INVALID_IMAGE_SIZE);
    assert_eq!(code(0, &shape(4, image)), CL_INVALID_IMAGE_DESCRIPTOR);
    let foreign = Session::open().buffer(&words);
    assert_eq!(code(0, &shape(4, foreign)), CL_INVALID_IMAGE_DESCRIPTOR);
}

const UINT: cl_image_format = cl_image_format {
    image_channel_order: CL_R,
    image_channel_data_type: CL_UNSIGNED_INT32,
};

/// A 2D image over a buffer of words: rows of `pitch` words.
fn plane(session: &Session, buffer: cl_mem, extent: [usize; 2], pitch: usize) -> cl_mem {
    let mut shape = desc(CL_MEM_OBJECT_IMAGE2D, [extent[0], extent[1], 1]);
    shape.image_row_pitch = 4 * pitch;
    shape.buffer = buffer;
    session.image_with(0, &UINT, &shape, null_mut())
}

/// Ten rows of 16 words, of which a 2D image has 13.
const WIDTH: usize = 13;
const PITCH: usize = 16;
const HEIGHT: usize = 10;

fn words() -> Vec<u32> {
    (0..(PITCH * HEIGHT) as u32).collect()
}

#[test]
fn devices_say_how_planes_of_buffers_are_aligned() {
    let session = Session::open();
    for name in [
        CL_DEVICE_IMAGE_PITCH_ALIGNMENT,
        CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT,
    ] {
        let (mut value, mut size) = (0u32, 0);
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the value has the size passed.
        ok(unsafe { clGetDeviceInfo(session.devices[0], name, 4, to, &mut size) });
        assert!(
            value.is_power_of_two() && size == 4,
            "{name:#x} {value} {size}"
        );
    }
}

#[test]
fn a_plane_of_a_buffer_is_described() {
    let session = Session::open();
    let buffer = session.buffer(&words());
    for (pitch, reported) in [(0, 4 * WIDTH), (PITCH, 4 * PITCH)] {
        let image = plane(&session, buffer, [WIDTH, HEIGHT], pitch);
        for (name, expected) in [
            (CL_IMAGE_ROW_PITCH, reported),
            (CL_IMAGE_SLICE_PITCH, 0),
            (CL_IMAGE_WIDTH, WIDTH),
            (CL_IMAGE_HEIGHT, HEIGHT),
            (CL_IMAGE_DEPTH, 0),
            (CL_IMAGE_ARRAY_SIZE, 0),
            (CL_IMAGE_BUFFER, buffer as usize),
        ] {
            assert_eq!(session.image_info::<usize>(image, name), expected);
        }
        for (name, expected) in [
            (CL_MEM_ASSOCIATED_MEMOBJECT, buffer as usize),
            (CL_MEM_SIZE, reported * HEIGHT),
            (CL_MEM_OFFSET, 0),
            (CL_MEM_HOST_PTR, 0),
        ] {
            assert_eq!(session.mem_info::<usize>(image, name), expected);
        }
        let kind: u32 = session.mem_info(image, CL_MEM_TYPE);
        assert_eq!(kind, CL_MEM_OBJECT_IMAGE2D);
        // What is not given is the buffer's; it says where the bytes come from.
        assert_eq!(
            session.mem_info::<u64>(image, CL_MEM_FLAGS),
            session.mem_info::<u64>(buffer, CL_MEM_FLAGS)
        );
    }
}

#[test]
fn commands_on_a_plane_of_a_buffer_change_the_buffer() {
    let session = Session::open();
    let mut expected = words();
    let buffer = session.buffer(&expected);
    let image = plane(&session, buffer, [WIDTH, HEIGHT], PITCH);
    let mut set = |origin: [usize; 3], region: [usize; 3], value: &dyn Fn(usize, usize) -> u32| {
        for y in 0..region[1] {
            for x in 0..region[0] {
                expected[(origin[1] + y) * PITCH + origin[0] + x] = value(x, y);
            }
        }
        expected.clone()
    };
    let contents = || session.read::<u32>(buffer, PITCH * HEIGHT);

    ok(session.fill_image(image, &[7u32; 4], [3, 1, 0], [10, 2, 1]));
    assert_eq!(contents(), set([3, 1, 0], [10, 2, 1], &|_, _| 7));

    let bytes: Vec<u8> = (100..106u32).flat_map(u32::to_le_bytes).collect();
    ok(session.write_pixels(image, [0, 8, 0], [3, 2, 1], (0, 0), &bytes));
    let after = set([0, 8, 0], [3, 2, 1], &|x, y| 100 + (3 * y + x) as u32);
    assert_eq!(contents(), after);
    let mut read = vec![0; bytes.len()];
    ok(session.read_pixels(image, [0, 8, 0], [3, 2, 1], (0, 0), &mut read));
    assert_eq!(read, bytes);

    ok(session.copy_image((image, [0, 8, 0]), (image, [5, 4, 0]), [3, 2, 1]));
    let after = set([5, 4, 0], [3, 2, 1], &|x, y| 100 + (3 * y + x) as u32);
    assert_eq!(contents(), after);

    // The last two rows come out, and into an image of its own.
    let other = session.buffer(&[0u32; 2 * WIDTH]);
    let (zero, rows) = ([0usize, HEIGHT - 2, 0], [WIDTH, 2, 1]);
    // SAFETY: the lists are read during the call.
    ok(unsafe {
        let (origin, region) = (zero.as_ptr(), rows.as_ptr());
        clEnqueueCopyImageToBuffer(
            session.queue,
            image,
            other,
            origin,
            region,
            0,
            0,
            null(),
            null_mut(),
        )
    });
    let tight: Vec<u32> = after[PITCH * (HEIGHT - 2)..]
        .chunks(PITCH)
        .flat_map(|row| row[..WIDTH].to_vec())
        .collect();
    assert_eq!(session.read::<u32>(other, 2 * WIDTH), tight);
    // SAFETY: the lists are read during the call.
    ok(unsafe {
        let (origin, region) = ([0usize; 3], rows.as_ptr());
        clEnqueueCopyBufferToImage(
            session.queue,
            other,
            image,
            0,
            origin.as_ptr(),
            region,
            0,
            null(),
            null_mut(),
        )
    });
    let after = set([0; 3], rows, &|x, y| tight[y * WIDTH + x]);
    assert_eq!(contents(), after);

    let mapped = session
        .map_pixels(image, CL_MAP_READ | CL_MAP_WRITE, [2, 3, 0], [4, 4, 1])
        .unwrap();
    assert_eq!((mapped.row_pitch, mapped.slice_pitch), (4 * PITCH, 0));
    let pixel = mapped.pointer.wrapping_byte_add(4 * PITCH).cast::<u32>();
    // SAFETY: the region is mapped, with that pitch.
    unsafe {
        assert_eq!(*pixel, after[4 * PITCH + 2]);
        *pixel = 4711;
    }
    ok(session.unmap(image, mapped.pointer));
    assert_eq!(contents(), set([2, 4, 0], [1; 3], &|_, _| 4711));

    // In the opposite direction, a fill of the buffer changes the image.
    let mut one = [0; 4];
    // SAFETY: the pattern is read during the call.
    ok(unsafe {
        let (pattern, offset) = (0xABCDu32, 4 * (PITCH * 2 + 3));
        let pattern = std::ptr::from_ref(&pattern).cast();
        clEnqueueFillBuffer(
            session.queue,
            buffer,
            pattern,
            4,
            offset,
            4,
            0,
            null(),
            null_mut(),
        )
    });
    ok(session.read_pixels(image, [3, 2, 0], [1; 3], (0, 0), &mut one));
    assert_eq!(one, 0xABCDu32.to_le_bytes());
}

#[test]
fn kernels_read_and_write_planes_of_buffers() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void add(read_only image2d_t in, write_only image2d_t out) {
             int2 at = (int2)(get_global_id(0), get_global_id(1));
             write_imageui(out, at, read_imageui(in, at) + 1000);
         }",
        "add",
    );
    let (from, to) = (session.buffer(&words()), session.buffer(&words()));
    let (input, output) = (
        plane(&session, from, [WIDTH, HEIGHT], 0),
        plane(&session, to, [WIDTH, HEIGHT], PITCH),
    );
    ok(session.set(kernel, 0, &input));
    ok(session.set(kernel, 1, &output));
    // Writes outside of the image do not reach what lies between its rows.
    session.run(kernel, &[PITCH, HEIGHT]);
    let mut expected = words();
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            expected[y * PITCH + x] = (y * WIDTH + x) as u32 + 1000;
        }
    }
    assert_eq!(session.read::<u32>(to, PITCH * HEIGHT), expected);
}

#[test]
fn a_plane_of_a_sub_buffer_begins_where_that_begins() {
    let session = Session::open();
    let words = words();
    let buffer = session.buffer(&words);
    let region = [256usize, 256];
    // SAFETY: the region is read during the call.
    let part = made(|code| unsafe {
        let (kind, region) = (CL_BUFFER_CREATE_TYPE_REGION, region.as_ptr().cast());
        clCreateSubBuffer(buffer, CL_MEM_READ_ONLY, kind, region, code)
    });
    let image = plane(&session, part, [WIDTH, 4], PITCH);
    assert_eq!(
        session.mem_info::<usize>(image, CL_MEM_ASSOCIATED_MEMOBJECT),
        part as usize
    );
    let flags: u64 = session.mem_info(image, CL_MEM_FLAGS);
    assert_eq!(flags & CL_MEM_READ_ONLY, CL_MEM_READ_ONLY);
    // The buffers live as long as the image.
    // SAFETY: the handles are valid.
    unsafe {
        ok(clReleaseMemObject(part));
        ok(clReleaseMemObject(buffer));
    }
    let expected: Vec<u8> = words[64..]
        .chunks(PITCH)
        .take(4)
        .flat_map(|row| row[..WIDTH].iter().flat_map(|word| word.to_le_bytes()))
        .collect();
    assert_eq!(session.all_pixels(image, [WIDTH, 4, 1], 4), expected);
    // SAFETY: the handle is valid.
    ok(unsafe { clReleaseMemObject(image) });
}

#[test]
fn a_plane_of_a_buffer_in_host_memory_is_mapped_there() {
    let session = Session::open();
    let mut host = words();
    let start = host.as_mut_ptr();
    let size = size_of_val(&host[..]);
    // SAFETY: the host memory outlives buffer and image.
    let buffer = made(|code| unsafe {
        clCreateBuffer(
            session.context,
            CL_MEM_USE_HOST_PTR,
            size,
            start.cast(),
            code,
        )
    });
    let image = plane(&session, buffer, [WIDTH, HEIGHT], PITCH);
    assert_eq!(
        session.mem_info::<usize>(image, CL_MEM_HOST_PTR),
        start as usize
    );
    ok(session.fill_image(image, &[1u32; 4], [WIDTH - 1, HEIGHT - 1, 0], [1; 3]));
    let mapped = session
        .map_pixels(image, CL_MAP_READ, [1, 2, 0], [5, 5, 1])
        .unwrap();
    assert_eq!(mapped.row_pitch, 4 * PITCH);
    assert_eq!(mapped.pointer, start.wrapping_add(2 * PITCH + 1).cast());
    ok(session.unmap(image, mapped.pointer));
    // SAFETY: the handles are valid.
    unsafe {
        ok(clFinish(session.queue));
        ok(clReleaseMemObject(image));
        ok(clReleaseMemObject(buffer));
    }
    assert_eq!(host[PITCH * (HEIGHT - 1) + WIDTH - 1], 1);
    assert_eq!(host[PITCH * HEIGHT - 1], (PITCH * HEIGHT - 1) as u32);
}

#[test]
fn planes_of_buffers_have_every_format() {
    let session = Session::open();
    let buffer = session.buffer(&[0x5Au8; 16 * 7 * 5]);
    for format in session.supported(CL_MEM_OBJECT_IMAGE2D) {
        let mut shape = desc(CL_MEM_OBJECT_IMAGE2D, [7, 5, 1]);
        shape.buffer = buffer;
        let image = session.image_with(0, &format, &shape, null_mut());
        let bytes = session.element_size(image) * 7 * 5;
        let pixels = session.all_pixels(image, [7, 5, 1], bytes / 35);
        assert_eq!(pixels, vec![0x5A; bytes]);
        // SAFETY: the handle is valid.
        ok(unsafe { clReleaseMemObject(image) });
    }
}
