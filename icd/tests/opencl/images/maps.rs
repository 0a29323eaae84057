//! Pixels mapped into the host's address space.

use super::*;

#[test]
fn mapped_pixels_are_the_images_own() {
    let session = Session::open();
    for (image_type, extent) in TYPES {
        let mut model = Model::new(extent, 4, 21);
        let image = session.image(&RGBA8, image_type, extent, &model.bytes);
        let origin = extent.map(|size| size / 3);
        let region = [0, 1, 2].map(|axis| extent[axis] - origin[axis]);
        let count = region.iter().product::<usize>();
        let mapped = session
            .map_pixels(image, CL_MAP_READ | CL_MAP_WRITE, origin, region)
            .unwrap();
        for (name, pitch) in [
            (CL_IMAGE_ROW_PITCH, mapped.row_pitch),
            (CL_IMAGE_SLICE_PITCH, mapped.slice_pitch),
        ] {
            assert_eq!(session.image_info::<usize>(image, name), pitch);
        }
        let places = offsets(image_type, region, 4, mapped.row_pitch, mapped.slice_pitch);
        let seen: Vec<u8> = places
            .into_iter()
            .flat_map(|place| {
                let pixel = mapped.pointer.wrapping_byte_add(place).cast::<[u8; 4]>();
                // SAFETY: the region is mapped, with these pitches.
                unsafe { pixel.replace([1, 2, 3, 4]) }
            })
            .collect();
        assert_eq!(seen, model.get(origin, region));
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_MAP_COUNT), 1);
        assert_eq!(session.unmap(image, null_mut()), CL_INVALID_VALUE);
        ok(session.unmap(image, mapped.pointer));
        assert_eq!(session.unmap(image, mapped.pointer), CL_INVALID_VALUE);
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_MAP_COUNT), 0);
        model.set(origin, region, &[1, 2, 3, 4].repeat(count));
        assert_eq!(session.all_pixels(image, extent, 4), model.bytes);
    }
}

#[test]
fn regions_apart_are_mapped_for_writing_at_once() {
    let session = Session::open();
    let image = session.empty_image(&RGBA8, CL_MEM_OBJECT_IMAGE2D, [4, 4, 1]);
    let map = |flags, origin, region| session.map_pixels(image, flags, origin, region);
    let half = [2, 4, 1];
    let left = map(CL_MAP_WRITE, [0; 3], half).unwrap();
    assert_eq!((left.row_pitch, left.slice_pitch), (16, 0));
    let right = map(CL_MAP_WRITE, [2, 0, 0], half).unwrap();
    assert_eq!(right.pointer, left.pointer.wrapping_byte_add(8));
    // Nothing is written twice, but what is written may be read.
    let both = map(CL_MAP_WRITE, [1, 1, 0], [2, 1, 1]);
    assert_eq!(both.unwrap_err(), CL_INVALID_OPERATION);
    map(CL_MAP_READ, [1, 1, 0], [1; 3]).unwrap();
    ok(session.unmap(image, left.pointer));
    map(CL_MAP_WRITE, [1, 1, 0], [1; 3]).unwrap();
}

#[test]
fn a_map_that_fails_leaves_nothing_mapped() {
    let session = Session::open();
    let image = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE2D, [4, 4, 1], &[0; 64]);
    let buffer = session.buffer(&[0u8; 64]);
    let (origin, region) = ([0usize; 3], [4usize, 4, 1]);
    let (mut row, mut code, mut event) = (0, 0, null_mut());
    // SAFETY: all pointers are to locals.
    unsafe {
        let gate = made(|code| clCreateUserEvent(session.context, code));
        let mapped = made(|code| {
            clEnqueueMapImage(
                session.queue,
                image,
                CL_FALSE,
                CL_MAP_WRITE,
                origin.as_ptr(),
                region.as_ptr(),
                &mut row,
                null_mut(),
                1,
                &gate,
                &mut event,
                code,
            )
        });
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_MAP_COUNT), 1);
        ok(clSetUserEventStatus(gate, -1));
        assert_eq!(
            clWaitForEvents(1, &event),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
        );
        ok(clFinish(session.queue));
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_MAP_COUNT), 0);
        assert_eq!(
            clEnqueueUnmapMemObject(session.queue, image, mapped, 0, null(), null_mut()),
            CL_INVALID_VALUE
        );
        // A blocking one.
        let mapped = clEnqueueMapBuffer(
            session.queue,
            buffer,
            CL_TRUE,
            CL_MAP_WRITE,
            0,
            64,
            1,
            &gate,
            null_mut(),
            &mut code,
        );
        assert!(mapped.is_null());
        assert_eq!(code, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        assert_eq!(session.mem_info::<u32>(buffer, CL_MEM_MAP_COUNT), 0);
    }
}
