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
fn every_type_and_every_use_has_the_same_formats() {
    let session = Session::open();
    let all = session.supported(CL_MEM_OBJECT_IMAGE2D).len();
    assert!(all > 11);
    for flags in [0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY] {
        for image_type in [
            CL_MEM_OBJECT_IMAGE1D,
            CL_MEM_OBJECT_IMAGE1D_BUFFER,
            CL_MEM_OBJECT_IMAGE1D_ARRAY,
            CL_MEM_OBJECT_IMAGE2D,
            CL_MEM_OBJECT_IMAGE2D_ARRAY,
            CL_MEM_OBJECT_IMAGE3D,
        ] {
            // Room for two of them.
            let mut some = [format(0, 0), format(0, 0), format(0, 0)];
            let mut count = 0;
            // SAFETY: the list has room for more formats than the number passed.
            ok(unsafe {
                let to = some.as_mut_ptr();
                clGetSupportedImageFormats(session.context, flags, image_type, 2, to, &mut count)
            });
            assert_eq!(count as usize, all);
            let orders = some.map(|format| format.image_channel_order);
            assert!(orders[0] != 0 && orders[1] != 0 && orders[2] == 0);
        }
    }
}
