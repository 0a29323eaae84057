//! Which formats there are.

use super::*;

#[test]
fn every_type_has_every_mandatory_format_and_can_be_made_of_it() {
    let session = Session::open();
    let mandatory = [
        CL_UNORM_INT8,
        CL_UNORM_INT16,
        CL_SIGNED_INT8,
        CL_SIGNED_INT16,
        CL_SIGNED_INT32,
        CL_UNSIGNED_INT8,
        CL_UNSIGNED_INT16,
        CL_UNSIGNED_INT32,
        CL_HALF_FLOAT,
        CL_FLOAT,
    ];
    for (image_type, extent) in TYPES {
        let formats = session.supported(image_type);
        let has = |order, data_type| {
            formats.iter().any(|format| {
                (format.image_channel_order, format.image_channel_data_type) == (order, data_type)
            })
        };
        assert!(mandatory.iter().all(|data_type| has(CL_RGBA, *data_type)));
        assert!(has(CL_BGRA, CL_UNORM_INT8));
        for format in &formats {
            let image = session.image_with(0, format, &desc(image_type, extent), null_mut());
            let element_size: usize = session.image_info(image, CL_IMAGE_ELEMENT_SIZE);
            let reported: [u32; 2] = session.image_info(image, CL_IMAGE_FORMAT);
            assert_eq!(
                reported,
                [format.image_channel_order, format.image_channel_data_type]
            );
            let bytes = pixels(extent.iter().product(), element_size, 3);
            ok(session.write_pixels(image, [0; 3], extent, (0, 0), &bytes));
            assert_eq!(session.all_pixels(image, extent, element_size), bytes);
            // SAFETY: the handle is valid.
            ok(unsafe { clReleaseMemObject(image) });
        }
    }
}

#[test]
fn supported_formats_check_their_arguments() {
    let session = Session::open();
    let ask = |context, flags, image_type, entries, formats| {
        let mut count = 0;
        // SAFETY: nothing is written to a list of no entries.
        let code = unsafe {
            clGetSupportedImageFormats(context, flags, image_type, entries, formats, &mut count)
        };
        (code, count)
    };
    let context = session.context;
    let mut one = format(0, 0);
    assert_eq!(
        ask(null_mut(), 0, CL_MEM_OBJECT_IMAGE2D, 0, null_mut()).0,
        CL_INVALID_CONTEXT
    );
    assert_eq!(
        ask(context, 1 << 20, CL_MEM_OBJECT_IMAGE2D, 0, null_mut()).0,
        CL_INVALID_VALUE
    );
    assert_eq!(
        ask(context, 0, CL_MEM_OBJECT_BUFFER, 0, null_mut()).0,
        CL_INVALID_VALUE
    );
    assert_eq!(
        ask(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, &mut one).0,
        CL_INVALID_VALUE
    );
    let (code, count) = ask(context, 0, CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, &mut one);
    assert_eq!((code, count > 11), (CL_SUCCESS, true));
    assert_ne!(one.image_channel_order, 0);
}
