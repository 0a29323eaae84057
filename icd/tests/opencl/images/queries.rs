//! Queries of images, and of the image limits of devices.

use super::*;

#[test]
fn queries_tell_shape_and_pitches() {
    let session = Session::open();
    for (image_type, extent) in TYPES {
        let [width, height, depth] = extent;
        let image = session.image_with(0, &RGBA8, &desc(image_type, extent), null_mut());
        let (shape, slice_pitch) = match image_type {
            CL_MEM_OBJECT_IMAGE1D => ([width, 0, 0, 0], 0),
            CL_MEM_OBJECT_IMAGE1D_ARRAY => ([width, 0, 0, height], 4 * width),
            CL_MEM_OBJECT_IMAGE2D => ([width, height, 0, 0], 0),
            CL_MEM_OBJECT_IMAGE2D_ARRAY => ([width, height, 0, depth], 4 * width * height),
            _ => ([width, height, depth, 0], 4 * width * height),
        };
        let names = [
            CL_IMAGE_WIDTH,
            CL_IMAGE_HEIGHT,
            CL_IMAGE_DEPTH,
            CL_IMAGE_ARRAY_SIZE,
        ];
        for (name, expected) in names.into_iter().zip(shape) {
            assert_eq!(
                session.image_info::<usize>(image, name),
                expected,
                "{name:#x}"
            );
        }
        let size = 4 * width * height * depth;
        assert_eq!(
            session.image_info::<usize>(image, CL_IMAGE_ROW_PITCH),
            4 * width
        );
        assert_eq!(
            session.image_info::<usize>(image, CL_IMAGE_SLICE_PITCH),
            slice_pitch
        );
        assert_eq!(session.image_info::<usize>(image, CL_IMAGE_BUFFER), 0);
        assert_eq!(session.image_info::<u32>(image, CL_IMAGE_NUM_MIP_LEVELS), 0);
        assert_eq!(session.image_info::<u32>(image, CL_IMAGE_NUM_SAMPLES), 0);
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_TYPE), image_type);
        assert_eq!(
            session.mem_info::<u64>(image, CL_MEM_FLAGS),
            CL_MEM_READ_WRITE
        );
        assert_eq!(session.mem_info::<usize>(image, CL_MEM_SIZE), size);
        assert_eq!(session.mem_info::<usize>(image, CL_MEM_HOST_PTR), 0);
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_MAP_COUNT), 0);
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_REFERENCE_COUNT), 1);
        assert_eq!(
            session.mem_info::<usize>(image, CL_MEM_CONTEXT),
            session.context as usize
        );
        assert_eq!(
            session.mem_info::<usize>(image, CL_MEM_ASSOCIATED_MEMOBJECT),
            0
        );
        assert_eq!(session.mem_info::<usize>(image, CL_MEM_OFFSET), 0);
    }
    let (image, buffer) = (
        session.image_with(0, &RGBA8, &desc(CL_MEM_OBJECT_IMAGE1D, [1; 3]), null_mut()),
        session.buffer(&[0u8; 4]),
    );
    let mut value = 0usize;
    let mut ask = |object, name, size| {
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the value has at least `size` bytes.
        unsafe { clGetImageInfo(object, name, size, to, null_mut()) }
    };
    assert_eq!(ask(image, CL_IMAGE_WIDTH, 4), CL_INVALID_VALUE);
    assert_eq!(ask(image, 0x1199, 8), CL_INVALID_VALUE);
    assert_eq!(ask(buffer, CL_IMAGE_WIDTH, 8), CL_INVALID_MEM_OBJECT);
    assert_eq!(ask(null_mut(), CL_IMAGE_WIDTH, 8), CL_INVALID_MEM_OBJECT);
}

#[test]
fn devices_tell_their_limits() {
    let session = Session::open();
    let ask = |name| {
        let (mut value, mut size) = (0usize, 0);
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the value has the size passed.
        ok(unsafe { clGetDeviceInfo(session.devices[0], name, 8, to, &mut size) });
        (value, size)
    };
    assert_eq!(ask(CL_DEVICE_IMAGE_SUPPORT), (1, 4));
    // OpenCL 1.2, table 4.3: what a full profile has at least.
    for (name, least, bytes) in [
        (CL_DEVICE_MAX_READ_IMAGE_ARGS, 128, 4),
        (CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 8, 4),
        (CL_DEVICE_IMAGE2D_MAX_WIDTH, 8192, 8),
        (CL_DEVICE_IMAGE2D_MAX_HEIGHT, 8192, 8),
        (CL_DEVICE_IMAGE3D_MAX_WIDTH, 2048, 8),
        (CL_DEVICE_IMAGE3D_MAX_HEIGHT, 2048, 8),
        (CL_DEVICE_IMAGE3D_MAX_DEPTH, 2048, 8),
        (CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 65_536, 8),
        (CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 2048, 8),
        (CL_DEVICE_MAX_SAMPLERS, 16, 4),
    ] {
        let (value, size) = ask(name);
        assert!(value >= least && size == bytes, "{name:#x} {value} {size}");
    }
    // Images of the largest sizes can be made.
    let width = ask(CL_DEVICE_IMAGE2D_MAX_WIDTH).0;
    let array = ask(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE).0;
    for (image_type, extent) in [
        (CL_MEM_OBJECT_IMAGE1D_ARRAY, [width, array, 1]),
        (CL_MEM_OBJECT_IMAGE2D, [width, width, 1]),
    ] {
        let image = session.image_with(0, &RGBA8, &desc(image_type, extent), null_mut());
        let last = [0, 1, 2].map(|axis| extent[axis] - 1);
        ok(session.fill_image(image, &[1f32; 4], last, [1; 3]));
        let mut pixel = [0; 4];
        ok(session.read_pixels(image, last, [1; 3], (0, 0), &mut pixel));
        assert_eq!(pixel, [255; 4]);
    }
}
