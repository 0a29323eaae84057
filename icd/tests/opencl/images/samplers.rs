//! Samplers.

use super::*;

#[test]
fn samplers_are_made_and_queried() {
    let session = Session::open();
    let create = |context, coords, addressing, filter, code| {
        // SAFETY: nothing is read.
        unsafe { clCreateSampler(context, coords, addressing, filter, code) }
    };
    let context = session.context;
    for (coords, addressing, filter) in [
        (CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR),
        (CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST),
        (CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR),
        (CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST),
        (CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST),
    ] {
        let sampler = made(|code| create(context, coords, addressing, filter, code));
        let ask = |name| {
            let (mut value, mut size) = (0usize, 0);
            let to = std::ptr::from_mut(&mut value).cast();
            // SAFETY: the value has the size passed.
            ok(unsafe { clGetSamplerInfo(sampler, name, 8, to, &mut size) });
            (value, size)
        };
        assert_eq!(ask(CL_SAMPLER_REFERENCE_COUNT), (1, 4));
        assert_eq!(ask(CL_SAMPLER_CONTEXT), (context as usize, 8));
        assert_eq!(ask(CL_SAMPLER_NORMALIZED_COORDS), (coords as usize, 4));
        assert_eq!(ask(CL_SAMPLER_ADDRESSING_MODE), (addressing as usize, 4));
        assert_eq!(ask(CL_SAMPLER_FILTER_MODE), (filter as usize, 4));
        // SAFETY: the handle is valid until its last release.
        unsafe {
            let mut small = 0u16;
            let to = std::ptr::from_mut(&mut small).cast();
            let name = CL_SAMPLER_FILTER_MODE;
            assert_eq!(
                clGetSamplerInfo(sampler, name, 2, to, null_mut()),
                CL_INVALID_VALUE
            );
            assert_eq!(
                clGetSamplerInfo(sampler, CL_IMAGE_WIDTH, 8, null_mut(), null_mut()),
                CL_INVALID_VALUE
            );
            ok(clRetainSampler(sampler));
            assert_eq!(ask(CL_SAMPLER_REFERENCE_COUNT), (2, 4));
            ok(clReleaseSampler(sampler));
            ok(clReleaseSampler(sampler));
            assert_eq!(clReleaseSampler(sampler), CL_INVALID_SAMPLER);
            assert_eq!(clRetainSampler(sampler), CL_INVALID_SAMPLER);
            assert_eq!(
                clGetSamplerInfo(sampler, name, 0, null_mut(), null_mut()),
                CL_INVALID_SAMPLER
            );
        }
    }
}

#[test]
fn samplers_say_where_and_how_to_read() {
    let session = Session::open();
    let source = "
        kernel void by_argument(read_only image2d_t in, sampler_t s, global const float2 *at,
                                global float4 *out) {
            int i = get_global_id(0);
            out[i] = read_imagef(in, s, at[i]);
        }
        constant sampler_t linear =
            CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
        kernel void by_constant(read_only image2d_t in, global const float2 *at,
                                global float4 *out) {
            int i = get_global_id(0);
            out[i] = read_imagef(in, linear, at[i]);
        }";
    let program = session.built(source);
    // Two by two pixels: red is 0 1 / 2 3.
    let reds: Vec<u8> = [0f32, 1.0, 2.0, 3.0]
        .iter()
        .flat_map(|red| red.to_le_bytes())
        .collect();
    let pixel = format(CL_R, CL_FLOAT);
    let image = session.image(&pixel, CL_MEM_OBJECT_IMAGE2D, [2, 2, 1], &reds);
    let reds_at = |kernel: cl_kernel, first: u32, at: &[[f32; 2]]| {
        let out = session.buffer(&vec![[0f32; 4]; at.len()]);
        ok(session.set(kernel, 0, &image));
        ok(session.set(kernel, first, &session.buffer(at)));
        ok(session.set(kernel, first + 1, &out));
        session.run(kernel, &[at.len()]);
        let colors = session.read::<[f32; 4]>(out, at.len());
        colors.iter().map(|color| color[0]).collect::<Vec<_>>()
    };
    let by_argument = session.kernel_of(program, "by_argument");
    let read = |coords, addressing, filter, at: &[[f32; 2]]| {
        ok(session.set(by_argument, 1, &session.sampler(coords, addressing, filter)));
        reds_at(by_argument, 2, at)
    };
    let (nearest, linear) = (CL_FILTER_NEAREST, CL_FILTER_LINEAR);
    let pixels = [[0.5f32, 0.5], [1.5, 0.5], [0.5, 1.5], [1.5, 1.5]];
    let outside = [[-0.5f32, 0.5], [2.5, 1.5], [1.0, 1.0]];
    assert_eq!(
        read(CL_FALSE, CL_ADDRESS_NONE, nearest, &pixels),
        [0., 1., 2., 3.]
    );
    assert_eq!(
        read(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, nearest, &outside),
        [0., 3., 3.]
    );
    assert_eq!(
        read(CL_FALSE, CL_ADDRESS_CLAMP, nearest, &outside),
        [0., 0., 3.]
    );
    assert_eq!(
        read(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, linear, &outside),
        [0., 3., 1.5]
    );
    assert_eq!(
        read(CL_FALSE, CL_ADDRESS_CLAMP, linear, &[[2.0, 1.5]]),
        [1.5]
    );
    let normalised = [[0.25f32, 0.25], [1.25, 0.75], [-0.25, 0.25]];
    assert_eq!(
        read(CL_TRUE, CL_ADDRESS_REPEAT, nearest, &normalised),
        [0., 2., 1.]
    );
    assert_eq!(
        read(CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, nearest, &normalised),
        [0., 3., 0.]
    );
    // Between the last column and, again, the first.
    let seams = [[0.0f32, 0.25], [0.5, 0.5], [1.0, 1.0]];
    let expected = [0.5, 1.5, 1.5];
    assert_eq!(read(CL_TRUE, CL_ADDRESS_REPEAT, linear, &seams), expected);
    let by_constant = session.kernel_of(program, "by_constant");
    assert_eq!(reds_at(by_constant, 1, &seams), expected);
}
