//! Images of more than 2 and 4 GiB, and rows that lie as far apart. Storage is backed only
//! where it is touched.

use super::*;

const GIB: usize = 1 << 30;

fn release(session: &Session, objects: &[cl_mem]) {
    // SAFETY: the handles are valid.
    unsafe {
        ok(clFinish(session.queue));
        for object in objects {
            ok(clReleaseMemObject(*object));
        }
    }
}

fn word(value: u32) -> Vec<u8> {
    value.to_le_bytes().to_vec()
}

#[test]
fn slices_of_a_large_array_do_not_meet() {
    let (session, _turn) = Session::with_a_device_alone();
    // 8 GiB: images of 1 GiB.
    let extent = [16384, 4096, 8];
    let rgba = format(CL_RGBA, CL_UNSIGNED_INT32);
    let image = session.empty_image(&rgba, CL_MEM_OBJECT_IMAGE2D_ARRAY, extent);
    let size: usize = session.mem_info(image, CL_MEM_SIZE);
    assert_eq!(size, 8 * GIB);
    let pitch: usize = session.image_info(image, CL_IMAGE_SLICE_PITCH);
    assert_eq!(pitch, GIB);
    let pixel = |at| session.pixel(image, at, 16);
    let [x, y] = [extent[0] - 1, extent[1] - 1];
    // The last pixel of each image, and the first of the next: by a kernel, a fill,
    // a copy and a map.
    let kernel = session.kernel(
        "kernel void last(write_only image2d_array_t out, read_only image2d_array_t in,
                          global uint4 *read) {
             int z = get_global_id(0);
             int2 size = get_image_dim(out);
             int4 at = (int4)(size.x - 1, size.y - 1, z, 0);
             if (z > 0)
                 read[z] = read_imageui(in, (int4)(0, 0, z, 0));
             write_imageui(out, at, (uint4)(z, 1, 2, 3));
         }",
        "last",
    );
    for z in 0..extent[2] {
        let first = [z as u32 + 100, 0, 0, 0];
        ok(session.fill_image(image, &first, [0, 0, z], [1; 3]));
    }
    let read = session.buffer(&[[0u32; 4]; 8]);
    ok(session.set(kernel, 0, &image));
    ok(session.set(kernel, 1, &image));
    ok(session.set(kernel, 2, &read));
    session.run(kernel, &[8]);
    let read = session.read::<[u32; 4]>(read, 8);
    for z in 0..8u32 {
        assert_eq!(pixel([x, y, z as usize])[..4], word(z));
        assert_eq!(pixel([0, 0, z as usize])[..4], word(z + 100));
        assert!(z == 0 || read[z as usize] == [z + 100, 0, 0, 0]);
    }
    ok(session.copy_image((image, [x, y, 1]), (image, [x, y, 6]), [1; 3]));
    assert_eq!(pixel([x, y, 6])[..4], word(1));
    let mapped = session
        .map_pixels(image, CL_MAP_READ, [x, y, 5], [1, 1, 3])
        .unwrap();
    let places = [0, 1, 2].map(|z| {
        let place = mapped.pointer.wrapping_byte_add(z * mapped.slice_pitch);
        // SAFETY: the region is mapped, with that pitch.
        unsafe { *place.cast::<u32>() }
    });
    assert_eq!(places, [5, 1, 7]);
    ok(session.unmap(image, mapped.pointer));
    release(&session, &[image]);
}

#[test]
fn rows_lie_as_far_apart_as_a_buffer_allows() {
    let (session, _turn) = Session::with_a_device_alone();
    // SAFETY: the buffer has memory of its own.
    let buffer =
        made(|code| unsafe { clCreateBuffer(session.context, 0, 8 * GIB, null_mut(), code) });
    let uint = format(CL_R, CL_UNSIGNED_INT32);
    let kernel = session.kernel(
        "kernel void add(read_only image2d_t in, write_only image2d_t out) {
             int2 at = (int2)(get_global_id(0), get_global_id(1));
             write_imageui(out, at, read_imageui(in, at) + 1);
         }",
        "add",
    );
    let at_byte = |offset: usize| {
        let mut value = 0u32;
        let to = (&raw mut value).cast();
        // SAFETY: the value has the size passed.
        ok(unsafe {
            let queue = session.queue;
            clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, 4, to, 0, null(), null_mut())
        });
        value
    };
    for (pitch, height) in [(4 * GIB, 2), (2 * GIB + 256, 3)] {
        let mut shape = desc(CL_MEM_OBJECT_IMAGE2D, [100, height, 1]);
        shape.image_row_pitch = pitch;
        shape.buffer = buffer;
        let image = session.image_with(0, &uint, &shape, null_mut());
        for y in 0..height {
            ok(session.fill_image(image, &[10 * y as u32; 4], [0, y, 0], [100, 1, 1]));
        }
        ok(session.set(kernel, 0, &image));
        ok(session.set(kernel, 1, &image));
        session.run(kernel, &[100, height]);
        for y in 0..height {
            for x in [0, 99] {
                assert_eq!(at_byte(y * pitch + 4 * x), 10 * y as u32 + 1);
                assert_eq!(session.pixel(image, [x, y, 0], 4), word(10 * y as u32 + 1));
            }
        }
        let last = height - 1;
        let mapped = session
            .map_pixels(image, CL_MAP_READ, [99, 0, 0], [1, height, 1])
            .unwrap();
        assert_eq!(mapped.row_pitch, pitch);
        let place = mapped.pointer.wrapping_byte_add(last * pitch);
        // SAFETY: the region is mapped, with that pitch.
        assert_eq!(unsafe { *place.cast::<u32>() }, 10 * last as u32 + 1);
        ok(session.unmap(image, mapped.pointer));
        ok(session.copy_image((image, [98, last, 0]), (image, [0, 0, 0]), [2, 1, 1]));
        assert_eq!(at_byte(4), 10 * last as u32 + 1);
        release(&session, &[image]);
    }
    release(&session, &[buffer]);
}

/// The host's memory may be larger than the image: pitches are its own affair.
#[test]
fn rows_of_the_host_lie_as_far_apart_as_it_likes() {
    let (session, _turn) = Session::with_a_device_alone();
    let pitch = 5 * GIB;
    // SAFETY: fresh memory, of which only what is touched is backed.
    let host = unsafe {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        libc::mmap(null_mut(), 3 * pitch, protection, flags, -1, 0)
    };
    assert_ne!(host, libc::MAP_FAILED);
    let image = session.image(
        &format(CL_R, CL_UNSIGNED_INT32),
        CL_MEM_OBJECT_IMAGE2D,
        [1, 3, 1],
        &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0],
    );
    let (origin, region) = ([0usize; 3], [1usize, 3, 1]);
    // SAFETY: the host memory has three rows with that pitch; the calls block.
    unsafe {
        let (queue, from, size) = (session.queue, origin.as_ptr(), region.as_ptr());
        ok(clEnqueueReadImage(
            queue,
            image,
            CL_TRUE,
            from,
            size,
            pitch,
            0,
            host.cast(),
            0,
            null(),
            null_mut(),
        ));
        for row in 0..3 {
            let place = host.wrapping_byte_add(row * pitch).cast::<u32>();
            assert_eq!(*place, row as u32 + 1);
            *place += 10;
        }
        ok(clEnqueueWriteImage(
            queue,
            image,
            CL_TRUE,
            from,
            size,
            pitch,
            0,
            host.cast(),
            0,
            null(),
            null_mut(),
        ));
        libc::munmap(host, 3 * pitch);
    }
    let words = [11u32, 12, 13].map(u32::to_le_bytes).concat();
    assert_eq!(session.all_pixels(image, region, 4), words);
    release(&session, &[image]);
}
