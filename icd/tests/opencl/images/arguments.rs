//! Images and samplers as arguments of kernels.

use super::*;

const ARGUMENTS: &str = "
    typedef image2d_t picture;
    kernel void flat(picture in, write_only image2d_t out, sampler_t sampler) {}
    kernel void others(image1d_t a, image1d_array_t b, image1d_buffer_t c, image2d_array_t d,
                       image3d_t e, global int *f) {}";

#[test]
fn image_and_sampler_arguments_are_checked() {
    let session = Session::open();
    let flat = session.kernel(ARGUMENTS, "flat");
    let (shape, cube) = (
        desc(CL_MEM_OBJECT_IMAGE2D, [4, 4, 1]),
        desc(CL_MEM_OBJECT_IMAGE3D, [4, 4, 4]),
    );
    let image = |flags, shape| session.image_with(flags, &RGBA8, shape, null_mut());
    let both = image(0, &shape);
    let buffer = session.buffer(&[0u8; 64]);
    // SAFETY: nothing is read.
    let sampler = made(|code| unsafe {
        clCreateSampler(
            session.context,
            CL_TRUE,
            CL_ADDRESS_CLAMP,
            CL_FILTER_LINEAR,
            code,
        )
    });
    for index in 0..2 {
        ok(session.set(flat, index, &both));
        assert_eq!(session.set(flat, index, &7u32), CL_INVALID_ARG_SIZE);
        let nothing: cl_mem = null_mut();
        assert_eq!(session.set(flat, index, &nothing), CL_INVALID_MEM_OBJECT);
        assert_eq!(session.set(flat, index, &sampler), CL_INVALID_MEM_OBJECT);
        assert_eq!(session.set(flat, index, &buffer), CL_INVALID_MEM_OBJECT);
        assert_eq!(
            session.set(flat, index, &image(0, &cube)),
            CL_INVALID_MEM_OBJECT
        );
        // SAFETY: nothing is read through the null pointer.
        let code = unsafe { clSetKernelArg(flat, index, size_of::<cl_mem>(), null()) };
        assert_eq!(code, CL_INVALID_MEM_OBJECT);
    }
    let (read_only, write_only) = (
        image(CL_MEM_READ_ONLY, &shape),
        image(CL_MEM_WRITE_ONLY, &shape),
    );
    ok(session.set(flat, 0, &read_only));
    ok(session.set(flat, 1, &write_only));
    assert_eq!(session.set(flat, 0, &write_only), CL_INVALID_ARG_VALUE);
    assert_eq!(session.set(flat, 1, &read_only), CL_INVALID_ARG_VALUE);

    ok(session.set(flat, 2, &sampler));
    assert_eq!(session.set(flat, 2, &0x10u32), CL_INVALID_ARG_SIZE);
    assert_eq!(session.set(flat, 2, &0x10usize), CL_INVALID_SAMPLER);
    assert_eq!(session.set(flat, 2, &both), CL_INVALID_SAMPLER);
    // SAFETY: nothing is read through the null pointer.
    let code = unsafe { clSetKernelArg(flat, 2, size_of::<cl_sampler>(), null()) };
    assert_eq!(code, CL_INVALID_SAMPLER);

    let other = Session::open();
    let foreign = other.image_with(0, &RGBA8, &shape, null_mut());
    assert_eq!(session.set(flat, 0, &foreign), CL_INVALID_MEM_OBJECT);

    let others = session.kernel(ARGUMENTS, "others");
    let mut of_buffer = desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, [4, 1, 1]);
    of_buffer.buffer = buffer;
    let images = [
        image(0, &desc(CL_MEM_OBJECT_IMAGE1D, [4, 1, 1])),
        image(0, &desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, [4, 4, 1])),
        image(0, &of_buffer),
        image(0, &desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, [4, 4, 4])),
        image(0, &cube),
    ];
    for index in 0..5 {
        for (place, image) in images.iter().enumerate() {
            let expected = if place == index {
                CL_SUCCESS
            } else {
                CL_INVALID_MEM_OBJECT
            };
            assert_eq!(session.set(others, index as u32, image), expected);
        }
    }
    assert_eq!(session.set(others, 5, &both), CL_INVALID_MEM_OBJECT);
    ok(session.set(others, 5, &buffer));
    let launch = |kernel| session.launch(session.queue, kernel, &[1], None, &[], null_mut());
    ok(launch(others));
    // Images end although they are arguments; the sampler is known by value.
    // SAFETY: the handles are valid.
    unsafe {
        ok(clFinish(session.queue));
        for image in images {
            ok(clReleaseMemObject(image));
        }
        ok(clReleaseSampler(sampler));
    }
    assert_eq!(launch(others), CL_INVALID_KERNEL_ARGS);
    ok(launch(flat));
    // SAFETY: the handle is valid.
    ok(unsafe { clFinish(session.queue) });
}

#[test]
fn image_and_sampler_arguments_are_described() {
    let session = Session::open();
    let kernel = session.kernel(ARGUMENTS, "flat");
    let number = |index, name| {
        let mut value = 0u32;
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the value has the size passed.
        ok(unsafe { clGetKernelArgInfo(kernel, index, name, 4, to, null_mut()) });
        value
    };
    let type_name = |index| {
        let (mut text, mut size) = ([0u8; 32], 0);
        let to = text.as_mut_ptr().cast();
        // SAFETY: the text has the size passed.
        ok(unsafe {
            clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, 32, to, &mut size)
        });
        String::from_utf8(text[..size - 1].to_vec()).unwrap()
    };
    for (index, access, space, name) in [
        (
            0,
            CL_KERNEL_ARG_ACCESS_READ_ONLY,
            CL_KERNEL_ARG_ADDRESS_GLOBAL,
            "picture",
        ),
        (
            1,
            CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
            CL_KERNEL_ARG_ADDRESS_GLOBAL,
            "image2d_t",
        ),
        (
            2,
            CL_KERNEL_ARG_ACCESS_NONE,
            CL_KERNEL_ARG_ADDRESS_PRIVATE,
            "sampler_t",
        ),
    ] {
        assert_eq!(number(index, CL_KERNEL_ARG_ACCESS_QUALIFIER), access);
        assert_eq!(number(index, CL_KERNEL_ARG_ADDRESS_QUALIFIER), space);
        assert_eq!(type_name(index), name);
    }
}

#[test]
fn more_samplers_than_the_device_has_are_refused_at_launch() {
    let session = Session::open();
    let parameters: Vec<String> = (0..17).map(|index| format!("sampler_t s{index}")).collect();
    let source = format!("kernel void many({}) {{}}", parameters.join(", "));
    let kernel = session.kernel(&source, "many");
    // SAFETY: nothing is read.
    let sampler = made(|code| unsafe {
        let (address, filter) = (CL_ADDRESS_CLAMP, CL_FILTER_LINEAR);
        clCreateSampler(session.context, CL_TRUE, address, filter, code)
    });
    for index in 0..17 {
        ok(session.set(kernel, index, &sampler));
    }
    assert_eq!(
        session.launch(session.queue, kernel, &[1], None, &[], null_mut()),
        CL_OUT_OF_RESOURCES
    );
}

#[test]
fn types_whose_names_begin_as_those_of_images_are_no_images() {
    let session = Session::open();
    let kernel = session.kernel(
        "typedef struct { int w; } image_info;
        struct sampler_t { int x; };
        typedef struct sampler_t image2d_like;
        typedef sampler_t how;
        typedef read_only image2d_t picture;
        typedef enum { A, B } image_kind;
        kernel void k(read_only image2d_t a, global image_info *out, image_info value, how s,
                      local image_info *scratch, constant struct sampler_t *fixed,
                      image2d_like passed, picture last, image_kind kind) {
            scratch->w = value.w + fixed->x + passed.x + kind;
            out->w = scratch->w + get_image_width(a) + 10 * get_image_width(last)
                     + (int)read_imagef(a, s, (float2)(0.0f)).x;
        }",
        "k",
    );
    let format = cl_image_format {
        image_channel_order: CL_R,
        image_channel_data_type: CL_FLOAT,
    };
    let pixels: Vec<u8> = [2.0f32; 5].iter().flat_map(|p| p.to_ne_bytes()).collect();
    let image = |width| session.image(&format, CL_MEM_OBJECT_IMAGE2D, [width, 1, 1], &pixels);
    let (a, last) = (image(3), image(5));
    // SAFETY: nothing is read.
    let sampler = made(|code| unsafe {
        let (address, filter) = (CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
        clCreateSampler(session.context, CL_FALSE, address, filter, code)
    });
    let (out, fixed) = (session.buffer(&[0i32]), session.buffer(&[100i32]));
    ok(session.set(kernel, 0, &a));
    ok(session.set(kernel, 1, &out));
    ok(session.set(kernel, 2, &1000i32));
    ok(session.set(kernel, 3, &sampler));
    // SAFETY: local memory has no value to be read.
    ok(unsafe { clSetKernelArg(kernel, 4, 4, std::ptr::null()) });
    ok(session.set(kernel, 5, &fixed));
    ok(session.set(kernel, 6, &10_000i32));
    ok(session.set(kernel, 7, &last));
    ok(session.set(kernel, 8, &1i32));
    ok(session.launch(session.queue, kernel, &[1], None, &[], null_mut()));
    assert_eq!(session.read::<i32>(out, 1), [11_101 + 3 + 50 + 2]);
}
