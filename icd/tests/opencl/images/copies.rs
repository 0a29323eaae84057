//! Copies between images, and between images and buffers.

use super::*;

#[test]
fn images_are_copied_between_all_types() {
    let session = Session::open();
    let region = [3, 1, 1];
    for (from_type, from_extent) in TYPES {
        for (to_type, to_extent) in TYPES {
            let from_model = Model::new(from_extent, 4, 1);
            let mut to_model = Model::new(to_extent, 4, 99);
            let from = session.image(&RGBA8, from_type, from_extent, &from_model.bytes);
            let to = session.image(&RGBA8, to_type, to_extent, &to_model.bytes);
            let from_origin = [0, 1, 2].map(|axis| from_extent[axis] - region[axis]);
            let to_origin = [1, to_extent[1] / 2, to_extent[2] / 2];
            ok(session.copy_image((from, from_origin), (to, to_origin), region));
            to_model.set(to_origin, region, &from_model.get(from_origin, region));
            assert_eq!(session.all_pixels(to, to_extent, 4), to_model.bytes);
        }
    }
    // Several slices at once; rows of a 1D array into a slice.
    let (cube, array) = ([5, 4, 3], [6, 5, 4]);
    let from_model = Model::new(cube, 4, 1);
    let mut to_model = Model::new(array, 4, 99);
    let from = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE3D, cube, &from_model.bytes);
    let to = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE2D_ARRAY, array, &to_model.bytes);
    ok(session.copy_image((from, [1, 0, 1]), (to, [2, 1, 2]), [4, 4, 2]));
    to_model.set([2, 1, 2], [4, 4, 2], &from_model.get([1, 0, 1], [4, 4, 2]));
    let lines = Model::new([5, 6, 1], 4, 33);
    let from = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE1D_ARRAY, [5, 6, 1], &lines.bytes);
    ok(session.copy_image((from, [0, 2, 0]), (to, [1, 0, 1]), [5, 4, 1]));
    to_model.set([1, 0, 1], [5, 4, 1], &lines.get([0, 2, 0], [5, 4, 1]));
    assert_eq!(session.all_pixels(to, array, 4), to_model.bytes);
}

#[test]
fn copies_check_formats_bounds_and_overlap() {
    let session = Session::open();
    let (extent, whole) = ([8, 8, 1], desc(CL_MEM_OBJECT_IMAGE2D, [8, 8, 1]));
    let mut model = Model::new(extent, 4, 5);
    let image = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE2D, extent, &model.bytes);
    let bgra = session.image_with(0, &format(CL_BGRA, CL_UNORM_INT8), &whole, null_mut());
    let copy = |from, to, region| session.copy_image((image, from), (image, to), region);
    assert_eq!(
        session.copy_image((image, [0; 3]), (bgra, [0; 3]), [1; 3]),
        CL_IMAGE_FORMAT_MISMATCH
    );
    assert_eq!(copy([0; 3], [3, 3, 0], [4, 4, 1]), CL_MEM_COPY_OVERLAP);
    assert_eq!(copy([0; 3], [0; 3], [1; 3]), CL_MEM_COPY_OVERLAP);
    assert_eq!(copy([0; 3], [5, 0, 0], [4, 4, 1]), CL_INVALID_VALUE);
    assert_eq!(copy([5, 0, 0], [0; 3], [4, 4, 1]), CL_INVALID_VALUE);
    assert_eq!(copy([0; 3], [4, 4, 0], [4, 4, 0]), CL_INVALID_VALUE);
    // The spans in memory overlap, the rectangles do not.
    ok(copy([0; 3], [4, 1, 0], [4, 4, 1]));
    let moved = model.get([0; 3], [4, 4, 1]);
    model.set([4, 1, 0], [4, 4, 1], &moved);
    assert_eq!(session.all_pixels(image, extent, 4), model.bytes);
    let buffer = session.buffer(&[0u8; 4]);
    assert_eq!(
        session.copy_image((buffer, [0; 3]), (image, [0; 3]), [1; 3]),
        CL_INVALID_MEM_OBJECT
    );
    let other = Session::open();
    let foreign = other.image_with(0, &RGBA8, &whole, null_mut());
    assert_eq!(
        session.copy_image((image, [0; 3]), (foreign, [0; 3]), [1; 3]),
        CL_INVALID_CONTEXT
    );
}

#[test]
fn images_are_copied_to_and_from_buffers() {
    let session = Session::open();
    let copy_out = |image, buffer, origin: [usize; 3], region: [usize; 3], offset| {
        // SAFETY: the lists are read during the call.
        unsafe {
            clEnqueueCopyImageToBuffer(
                session.queue,
                image,
                buffer,
                origin.as_ptr(),
                region.as_ptr(),
                offset,
                0,
                null(),
                null_mut(),
            )
        }
    };
    let copy_in = |buffer, image, offset, origin: [usize; 3], region: [usize; 3]| {
        // SAFETY: the lists are read during the call.
        unsafe {
            clEnqueueCopyBufferToImage(
                session.queue,
                buffer,
                image,
                offset,
                origin.as_ptr(),
                region.as_ptr(),
                0,
                null(),
                null_mut(),
            )
        }
    };
    for (image_type, extent) in TYPES {
        let mut model = Model::new(extent, 4, 8);
        let image = session.image(&RGBA8, image_type, extent, &model.bytes);
        let mut bytes = pixels(1000, 1, 200);
        let buffer = session.buffer(&bytes);
        let origin = extent.map(|size| size / 3);
        let region = [0, 1, 2].map(|axis| (extent[axis] - origin[axis]).div_ceil(2));
        let size = 4 * region.iter().product::<usize>();
        ok(copy_out(image, buffer, origin, region, 13));
        bytes[13..13 + size].copy_from_slice(&model.get(origin, region));
        assert_eq!(session.read::<u8>(buffer, 1000), bytes);
        ok(copy_in(buffer, image, 500, [0; 3], region));
        model.set([0; 3], region, &bytes[500..500 + size]);
        assert_eq!(session.all_pixels(image, extent, 4), model.bytes);

        assert_eq!(copy_out(image, buffer, origin, extent, 0), CL_INVALID_VALUE);
        assert_eq!(
            copy_out(image, buffer, origin, region, 1000 - size + 1),
            CL_INVALID_VALUE
        );
        assert_eq!(
            copy_in(buffer, image, usize::MAX, [0; 3], region),
            CL_INVALID_VALUE
        );
        assert_eq!(
            copy_out(image, image, origin, region, 0),
            CL_INVALID_MEM_OBJECT
        );
        assert_eq!(
            copy_in(buffer, buffer, 0, origin, region),
            CL_INVALID_MEM_OBJECT
        );
    }
    let buffer = session.buffer(&[0u8; 64]);
    let mut shape = desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, [4, 1, 1]);
    shape.buffer = buffer;
    let image = session.image_with(0, &RGBA8, &shape, null_mut());
    assert_eq!(
        copy_out(image, buffer, [0; 3], [1; 3], 32),
        CL_INVALID_MEM_OBJECT
    );
    assert_eq!(
        copy_in(buffer, image, 32, [0; 3], [1; 3]),
        CL_INVALID_MEM_OBJECT
    );
}
