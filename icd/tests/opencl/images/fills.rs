//! Fills.

use super::*;

#[test]
fn fills_convert_the_colour_to_the_format() {
    let session = Session::open();
    for (image_type, extent) in TYPES {
        let mut model = Model::new(extent, 4, 4);
        let image = session.image(&RGBA8, image_type, extent, &model.bytes);
        let origin = extent.map(|size| size / 3);
        let region = [0, 1, 2].map(|axis| extent[axis] - origin[axis]);
        ok(session.fill_image(image, &[1.0f32, 0.5, -1.0, 0.25], origin, region));
        let count = region.iter().product();
        model.set(origin, region, &[255, 128, 0, 64].repeat(count));
        assert_eq!(session.all_pixels(image, extent, 4), model.bytes);
        assert_eq!(
            session.fill_image(image, &[0f32; 4], [1, 0, 0], extent),
            CL_INVALID_VALUE
        );
    }
    // More pixels than are put into memory at once.
    let (wide, shape) = ([3001, 1, 1], desc(CL_MEM_OBJECT_IMAGE1D, [3001, 1, 1]));
    let image = session.image_with(0, &format(CL_RG, CL_SIGNED_INT16), &shape, null_mut());
    ok(session.fill_image(image, &[-2i32, 70_000, 0, 0], [0; 3], wide));
    assert_eq!(
        session.all_pixels(image, wide, 4),
        [0xFE, 0xFF, 0xFF, 0x7F].repeat(3001)
    );
    let image = session.image_with(0, &format(CL_R, CL_UNSIGNED_INT32), &shape, null_mut());
    ok(session.fill_image(image, &[0xFFFF_FFF0u32, 0, 0, 0], [0; 3], wide));
    assert_eq!(
        session.all_pixels(image, wide, 4),
        [0xF0, 0xFF, 0xFF, 0xFF].repeat(3001)
    );
    // SAFETY: nothing is read through the null pointer.
    let code = unsafe {
        clEnqueueFillImage(
            session.queue,
            image,
            null(),
            [0; 3].as_ptr(),
            wide.as_ptr(),
            0,
            null(),
            null_mut(),
        )
    };
    assert_eq!(code, CL_INVALID_VALUE);
}
