//! What images can be made of, and what not.

use super::*;

#[test]
fn creation_checks_its_arguments() {
    let session = Session::open();
    let mut memory = [0u8; 4096];
    let host = memory.as_mut_ptr().cast::<c_void>();
    let square = || desc(CL_MEM_OBJECT_IMAGE2D, [8, 8, 1]);
    let code = |flags, format: *const cl_image_format, desc: *const cl_image_desc, host| {
        // SAFETY: no image here needs more than the host memory has.
        refused(|code| unsafe { clCreateImage(session.context, flags, format, desc, host, code) })
    };
    assert_eq!(
        // SAFETY: the pointers are to locals.
        refused(|code| unsafe {
            clCreateImage(null_mut(), 0, &RGBA8, &square(), null_mut(), code)
        }),
        CL_INVALID_CONTEXT
    );
    for flags in [
        1 << 20,
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
        CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
    ] {
        assert_eq!(code(flags, &RGBA8, &square(), null_mut()), CL_INVALID_VALUE);
    }
    for bad in [
        null(),
        &format(CL_RGB, CL_UNORM_INT8),
        &format(CL_RGBA, CL_UNORM_SHORT_565),
        &format(0, CL_UNORM_INT8),
        &format(CL_RGBA, 0),
    ] {
        assert_eq!(
            code(0, bad, &square(), null_mut()),
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
        );
    }
    let buffer = session.buffer(&[0u8; 64]);
    let with = |change: &dyn Fn(&mut cl_image_desc)| {
        let mut desc = square();
        change(&mut desc);
        desc
    };
    assert_eq!(
        code(0, &RGBA8, null(), null_mut()),
        CL_INVALID_IMAGE_DESCRIPTOR
    );
    for desc in [
        with(&|desc| desc.image_type = CL_MEM_OBJECT_BUFFER),
        with(&|desc| desc.image_width = 0),
        with(&|desc| desc.image_height = 0),
        with(&|desc| desc.num_mip_levels = 1),
        with(&|desc| desc.num_samples = 1),
        with(&|desc| desc.buffer = buffer),
        with(&|desc| desc.buffer = session.context.cast()),
        with(&|desc| desc.image_row_pitch = 32),
        with(&|desc| desc.image_slice_pitch = 32 * 8),
        with(&|desc| desc.image_type = CL_MEM_OBJECT_IMAGE3D),
        with(&|desc| desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY),
        with(&|desc| desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER),
    ] {
        assert_eq!(
            code(0, &RGBA8, &desc, null_mut()),
            CL_INVALID_IMAGE_DESCRIPTOR
        );
    }
    let cube = |row_pitch, slice_pitch| {
        let mut desc = desc(CL_MEM_OBJECT_IMAGE3D, [8, 4, 2]);
        (desc.image_row_pitch, desc.image_slice_pitch) = (row_pitch, slice_pitch);
        desc
    };
    for (row_pitch, slice_pitch) in [
        (28, 0),
        (34, 0),
        (32, 96),
        (32, 144),
        (usize::MAX - 3, 0),
        (0, usize::MAX - 31),
    ] {
        assert_eq!(
            code(
                CL_MEM_COPY_HOST_PTR,
                &RGBA8,
                &cube(row_pitch, slice_pitch),
                host
            ),
            CL_INVALID_IMAGE_DESCRIPTOR,
            "{row_pitch} {slice_pitch}"
        );
    }
    for (image_type, extent) in [
        (CL_MEM_OBJECT_IMAGE1D, [1 << 20, 1, 1]),
        (CL_MEM_OBJECT_IMAGE1D_ARRAY, [1, 1 << 20, 1]),
        (CL_MEM_OBJECT_IMAGE2D, [1 << 20, 1, 1]),
        (CL_MEM_OBJECT_IMAGE2D, [1, 1 << 20, 1]),
        (CL_MEM_OBJECT_IMAGE2D_ARRAY, [1, 1, 1 << 20]),
        (CL_MEM_OBJECT_IMAGE3D, [1, 1, 1 << 20]),
        (CL_MEM_OBJECT_IMAGE3D, [usize::MAX, usize::MAX, usize::MAX]),
    ] {
        assert_eq!(
            code(0, &RGBA8, &desc(image_type, extent), null_mut()),
            CL_INVALID_IMAGE_SIZE
        );
    }
    assert_eq!(code(0, &RGBA8, &square(), host), CL_INVALID_HOST_PTR);
    assert_eq!(
        code(CL_MEM_USE_HOST_PTR, &RGBA8, &square(), null_mut()),
        CL_INVALID_HOST_PTR
    );
    // Within all limits of images, but not of memory.
    assert_eq!(
        code(
            0,
            &format(CL_RGBA, CL_FLOAT),
            &desc(CL_MEM_OBJECT_IMAGE3D, [2048; 3]),
            null_mut()
        ),
        CL_MEM_OBJECT_ALLOCATION_FAILURE
    );
}

#[test]
fn the_functions_of_opencl_1_1_create_images() {
    let session = Session::open();
    let bytes = pixels(6 * 4 * 2, 4, 0);
    let host = bytes.as_ptr().cast_mut().cast::<c_void>();
    let create_2d = |flags, width, height, pitch, host, code| {
        // SAFETY: the bytes have 6 x 4 pixels and more.
        unsafe {
            create_image_2d(
                session.context,
                flags,
                &RGBA8,
                width,
                height,
                pitch,
                host,
                code,
            )
        }
    };
    let mut rgba8 = RGBA8;
    let mut create_3d =
        |flags, [width, height, depth]: [usize; 3], pitches: [usize; 2], host, code| {
            // SAFETY: the bytes have 6 x 4 x 2 pixels.
            unsafe {
                clCreateImage3D(
                    session.context,
                    flags,
                    &mut rgba8,
                    width,
                    height,
                    depth,
                    pitches[0],
                    pitches[1],
                    host,
                    code,
                )
            }
        };
    let flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    let image = made(|code| create_2d(flags, 6, 4, 24, host, code));
    assert_eq!(
        session.mem_info::<u32>(image, CL_MEM_TYPE),
        CL_MEM_OBJECT_IMAGE2D
    );
    assert_eq!(session.all_pixels(image, [6, 4, 1], 4), bytes[..96]);
    let image = made(|code| create_3d(flags, [6, 4, 2], [0, 96], host, code));
    assert_eq!(
        session.mem_info::<u32>(image, CL_MEM_TYPE),
        CL_MEM_OBJECT_IMAGE3D
    );
    assert_eq!(session.all_pixels(image, [6, 4, 2], 4), bytes);

    for (width, height, pitch) in [(0, 4, 0), (6, 0, 0), (6, 4, 20), (1 << 20, 4, 0)] {
        assert_eq!(
            refused(|code| create_2d(flags, width, height, pitch, host, code)),
            CL_INVALID_IMAGE_SIZE
        );
    }
    for (extent, pitches) in [
        ([6, 4, 1], [0, 0]),
        ([6, 4, 0], [0, 0]),
        ([6, 4, 2], [24, 95]),
    ] {
        assert_eq!(
            refused(|code| create_3d(flags, extent, pitches, host, code)),
            CL_INVALID_IMAGE_SIZE
        );
    }
    assert_eq!(
        refused(|code| create_2d(0, 6, 4, 0, host, code)),
        CL_INVALID_HOST_PTR
    );
    assert_eq!(
        refused(|code| create_2d(1 << 20, 6, 4, 0, null_mut(), code)),
        CL_INVALID_VALUE
    );
}
