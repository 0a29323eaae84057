//! Pixels written from the host's memory and read into it.

use super::*;

#[test]
fn regions_are_written_and_read_with_any_pitches() {
    let session = Session::open();
    for (order, data_type, element_size) in [
        (CL_R, CL_UNORM_INT8, 1),
        (CL_RGB, CL_UNORM_SHORT_565, 2),
        (CL_RGBA, CL_FLOAT, 16),
    ] {
        for (image_type, extent) in TYPES {
            let mut model = Model::new(extent, element_size, 1);
            let image = session.image(&format(order, data_type), image_type, extent, &model.bytes);
            let origin = extent.map(|size| size / 4);
            let region = [0, 1, 2].map(|axis| (extent[axis] - origin[axis]).div_ceil(2));
            let rows = match image_type {
                CL_MEM_OBJECT_IMAGE1D_ARRAY => 1,
                _ => region[1],
            };
            let row_pitch = region[0] * element_size + 3;
            let slice_pitch = row_pitch * rows + 5;
            let given = if has_slices(image_type) {
                slice_pitch
            } else {
                0
            };
            let places = offsets(image_type, region, element_size, row_pitch, slice_pitch);

            let host = pixels(slice_pitch * region[1] * region[2], 1, 77);
            ok(session.write_pixels(image, origin, region, (row_pitch, given), &host));
            let written: Vec<u8> = places
                .iter()
                .flat_map(|place| host[*place..place + element_size].to_vec())
                .collect();
            model.set(origin, region, &written);
            assert_eq!(session.all_pixels(image, extent, element_size), model.bytes);

            let mut host = vec![0xEE; host.len()];
            let mut expected = host.clone();
            ok(session.read_pixels(image, origin, region, (row_pitch, given), &mut host));
            for (place, pixel) in places.into_iter().zip(written.chunks(element_size)) {
                expected[place..place + element_size].copy_from_slice(pixel);
            }
            assert_eq!(host, expected, "nothing between rows is touched");
            let mut tight = vec![0; written.len()];
            ok(session.read_pixels(image, origin, region, (0, 0), &mut tight));
            assert_eq!(tight, written);
            assert_eq!(model.get(origin, region), written);
        }
    }
}

#[test]
fn reads_and_writes_check_their_arguments() {
    let session = Session::open();
    let mut host = vec![0u8; 4096];
    for (image_type, extent) in TYPES {
        let image = session.image_with(0, &RGBA8, &desc(image_type, extent), null_mut());
        let mut both = |origin, region, pitches| {
            let read = session.read_pixels(image, origin, region, pitches, &mut host);
            let write = session.write_pixels(image, origin, region, pitches, &host);
            assert_eq!(read, write);
            read
        };
        assert_eq!(both([0; 3], extent, (0, 0)), CL_SUCCESS);
        for axis in 0..3 {
            let (mut origin, mut region) = ([0; 3], extent);
            region[axis] += 1;
            assert_eq!(both(origin, region, (0, 0)), CL_INVALID_VALUE);
            region[axis] = 0;
            assert_eq!(both(origin, region, (0, 0)), CL_INVALID_VALUE);
            region[axis] = extent[axis];
            origin[axis] = 1;
            assert_eq!(both(origin, region, (0, 0)), CL_INVALID_VALUE);
            origin[axis] = usize::MAX;
            assert_eq!(both(origin, region, (0, 0)), CL_INVALID_VALUE);
        }
        let row = 4 * extent[0];
        assert_eq!(both([0; 3], extent, (row - 1, 0)), CL_INVALID_VALUE);
        let huge = (usize::MAX, 0);
        assert_eq!(both([0; 3], extent, huge), CL_INVALID_VALUE);
        let slices = (0, row - 1);
        assert_eq!(both([0; 3], extent, slices), CL_INVALID_VALUE);
    }
    let image = session.image_with(
        0,
        &RGBA8,
        &desc(CL_MEM_OBJECT_IMAGE2D, [4, 4, 1]),
        null_mut(),
    );
    let buffer = session.buffer(&[0u8; 64]);
    let other = Session::open();
    let (zero, one) = ([0usize; 3], [1usize; 3]);
    let mut pixel = [0u8; 4];
    let mut read = |queue, image, origin: *const usize, region: *const usize, null_host: bool| {
        let to = if null_host {
            null_mut()
        } else {
            pixel.as_mut_ptr().cast()
        };
        // SAFETY: the region has one pixel.
        unsafe {
            clEnqueueReadImage(
                queue,
                image,
                CL_TRUE,
                origin,
                region,
                0,
                0,
                to,
                0,
                null(),
                null_mut(),
            )
        }
    };
    let (queue, from, size) = (session.queue, zero.as_ptr(), one.as_ptr());
    assert_eq!(read(queue, image, from, size, false), CL_SUCCESS);
    assert_eq!(
        read(null_mut(), image, from, size, false),
        CL_INVALID_COMMAND_QUEUE
    );
    assert_eq!(
        read(queue, buffer, from, size, false),
        CL_INVALID_MEM_OBJECT
    );
    assert_eq!(
        read(queue, null_mut(), from, size, false),
        CL_INVALID_MEM_OBJECT
    );
    assert_eq!(read(queue, image, null(), size, false), CL_INVALID_VALUE);
    assert_eq!(read(queue, image, from, null(), false), CL_INVALID_VALUE);
    assert_eq!(read(queue, image, from, size, true), CL_INVALID_VALUE);
    assert_eq!(
        read(other.queue, image, from, size, false),
        CL_INVALID_CONTEXT
    );
    // SAFETY: the region has one pixel.
    unsafe {
        let to = pixel.as_mut_ptr().cast();
        assert_eq!(
            clEnqueueReadImage(
                queue,
                image,
                CL_TRUE,
                from,
                size,
                0,
                0,
                to,
                1,
                null(),
                null_mut()
            ),
            CL_INVALID_EVENT_WAIT_LIST
        );
        // A buffer's functions do not take images.
        assert_eq!(
            clEnqueueReadBuffer(queue, image, CL_TRUE, 0, 4, to, 0, null(), null_mut()),
            CL_INVALID_MEM_OBJECT
        );
    }
}

#[test]
fn host_access_flags_are_kept() {
    let session = Session::open();
    let shape = desc(CL_MEM_OBJECT_IMAGE2D, [2, 2, 1]);
    let map = |image, flags| {
        let mapped = session.map_pixels(image, flags, [0; 3], [2, 2, 1]);
        mapped.err().unwrap_or(CL_SUCCESS)
    };
    for (flags, reads, writes) in [
        (CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION),
        (CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS),
        (
            CL_MEM_HOST_NO_ACCESS,
            CL_INVALID_OPERATION,
            CL_INVALID_OPERATION,
        ),
    ] {
        let image = session.image_with(flags, &RGBA8, &shape, null_mut());
        let mut host = [0u8; 16];
        let (all, none) = ([2, 2, 1], [0; 3]);
        assert_eq!(
            session.read_pixels(image, none, all, (0, 0), &mut host),
            reads
        );
        assert_eq!(
            session.write_pixels(image, none, all, (0, 0), &host),
            writes
        );
        assert_eq!(map(image, CL_MAP_READ), reads);
        assert_eq!(map(image, CL_MAP_WRITE_INVALIDATE_REGION), writes);
    }
}
