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
