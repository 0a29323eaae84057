//! Images made by the functions of OpenCL 1.1.

use super::*;

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
}
