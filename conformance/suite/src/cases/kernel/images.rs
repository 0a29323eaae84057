//! Images in kernels: border colours and queries.

use crate::compare::equal;
use anyhow::Result;
use cl_sys::{
    CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, CL_FLOAT, CL_R, CL_RGBA,
    CL_SIGNED_INT32, CL_UNORM_INT8, CL_UNSIGNED_INT8, CL_UNSIGNED_INT32,
};
use harness::image::Shape;
use harness::session::{Argument, Session};

const WIDTH: usize = 7;
const HEIGHT: usize = 5;
const DEPTH: usize = 3;

/// Reads with `CLK_ADDRESS_CLAMP` within and beyond images; outside they return the border colour.
pub fn address_clamp(session: &Session) -> Result<()> {
    planes(session)?;
    volumes(session)?;
    lines_and_stacks(session)
}

/// The pixel at integer coordinates, or the border colour.
fn pixel<T: Copy>(pixels: &[[T; 4]], size: [usize; 3], at: [i32; 3], border: [T; 4]) -> [T; 4] {
    let inside = at
        .iter()
        .zip(size)
        .all(|(&at, size)| (0..size as i32).contains(&at));
    if inside {
        let [x, y, z] = at.map(|at| at as usize);
        pixels[(z * size[1] + y) * size[0] + x]
    } else {
        border
    }
}

/// Coordinates of all texels, of some around the image, and of distant ones.
fn around(size: usize) -> Vec<i32> {
    let near = -3..size as i32 + 3;
    near.chain([-1000, 1000, i32::MIN, i32::MAX]).collect()
}

/// Two-dimensional images, with integer and float coordinates, by samplers of the program and of
/// the host.
fn planes(session: &Session) -> Result<()> {
    let program = session.program(
        r"constant sampler_t clamped = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t normalised = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void test(read_only image2d_t image, sampler_t host, global const int2 *places,
                 global int4 *result)
{
    const size_t here = get_global_id(0), count = get_global_size(0);
    const int2 place = places[here];
    const float2 middle = convert_float2(place) + 0.5f;
    result[here] = read_imagei(image, clamped, place);
    result[here + count] = read_imagei(image, clamped, middle);
    result[here + 2 * count] = read_imagei(image, host, place);
    result[here + 3 * count] = read_imagei(image, host, middle);
    result[here + 4 * count] =
        read_imagei(image, normalised, middle / convert_float2(get_image_dim(image)));
}
",
        "",
    )?;
    let kernel = program.kernel("test")?;
    let mut random = session.random();
    let size = [WIDTH, HEIGHT, 1];
    let host = session.sampler(false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST)?;
    let places: Vec<[i32; 2]> = around(HEIGHT)
        .into_iter()
        .flat_map(|y| around(WIDTH).into_iter().map(move |x| [x, y]))
        .collect();
    let there = session.buffer(&places)?;
    let shape = Shape::Plane(WIDTH, HEIGHT);
    let count = WIDTH * HEIGHT;
    let pixels: Vec<[i32; 4]> = (0..count)
        .map(|_| [0; 4].map(|_| random.word() as i32))
        .collect();
    let image = session.image((CL_RGBA, CL_SIGNED_INT32), shape, &pixels)?;
    let result = session.buffer(&vec![[-7; 4]; 5 * places.len()])?;
    let arguments: [&dyn Argument; 4] = [&image, &host, &there, &result];
    session.run(&kernel, &[places.len()], &[], &arguments)?;
    let of_all = places
        .iter()
        .map(|&[x, y]| pixel(&pixels, size, [x, y, 0], [0; 4]));
    let expected: Vec<[i32; 4]> = of_all.collect();
    let got = session.read(&result)?;
    for (part, what) in [
        "integers",
        "floats",
        "integers, the host's sampler",
        "floats, the host's sampler",
        "normalised coordinates",
    ]
    .into_iter()
    .enumerate()
    {
        let got = &got[part * places.len()..][..places.len()];
        equal(&format!("2D, {what}"), got, &expected)?;
    }
    border_without_alpha(session)
}

/// Formats without an alpha channel have an opaque border.
fn border_without_alpha(session: &Session) -> Result<()> {
    let program = session.program(
        r"constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

kernel void test(read_only image2d_t image, global float4 *result)
{
    result[0] = read_imagef(image, nearest, (int2)(-1, 0));
    result[1] = read_imagef(image, nearest, (int2)(0, 9));
    result[2] = read_imagef(image, nearest, (float2)(2.0f, 1.5f));
    result[3] = read_imagef(image, nearest, (int2)(1, 1));
    // The average of the border colour and a texel.
    result[4] = read_imagef(image, linear, (float2)(0.0f, 0.5f));
    result[5] = read_imagef(image, linear, (float2)(-0.5f, 0.5f));
    result[6] = read_imagef(image, linear, (float2)(2.0f, 2.0f));
}
",
        "",
    )?;
    let kernel = program.kernel("test")?;
    let shape = Shape::Plane(2, 2);
    let check = |what: &str, image: &dyn Argument, texels: [[f32; 4]; 4], border: [f32; 4]| {
        let result = session.buffer(&[[-7.0f32; 4]; 7])?;
        session.run(&kernel, &[1], &[1], &[image, &result])?;
        let mixed = |texel: [f32; 4], part: f32| -> [f32; 4] {
            std::array::from_fn(|c| texel[c] * part + border[c] * (1.0 - part))
        };
        let expected = [
            border,
            border,
            border,
            texels[3],
            mixed(texels[0], 0.5),
            border,
            mixed(texels[3], 0.25),
        ];
        equal(what, &session.read(&result)?, &expected)
    };
    let rgba = [
        [1.0, 2.0, 3.0, 4.0],
        [0.5, -8.0, 64.0, 2.0],
        [5.0, 6.0, 7.0, 8.0],
        [16.0, -32.0, 4.0, -4.0],
    ];
    let image = session.image((CL_RGBA, CL_FLOAT), shape, &rgba)?;
    check("the border of RGBA", &image, rgba, [0.0; 4])?;
    let red: [f32; 4] = [4.0, -8.0, 12.0, 1.0];
    let image = session.image((CL_R, CL_FLOAT), shape, &red)?;
    let opaque = red.map(|red| [red, 0.0, 0.0, 1.0]);
    check("the border of R", &image, opaque, [0.0, 0.0, 0.0, 1.0])
}

fn volumes(session: &Session) -> Result<()> {
    let program = session.program(
        r"constant sampler_t clamped = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void test(read_only image3d_t image, sampler_t host, global const int4 *places,
                 global uint4 *result)
{
    const size_t here = get_global_id(0), count = get_global_size(0);
    const int4 place = places[here];
    result[here] = read_imageui(image, clamped, place);
    result[here + count] = read_imageui(image, clamped, convert_float4(place) + 0.25f);
    result[here + 2 * count] = read_imageui(image, host, place);
}
",
        "",
    )?;
    let kernel = program.kernel("test")?;
    let mut random = session.random();
    let size = [WIDTH, HEIGHT, DEPTH];
    let host = session.sampler(false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST)?;
    let mut places = Vec::new();
    for z in around(DEPTH) {
        for y in around(HEIGHT) {
            places.extend(around(WIDTH).into_iter().map(|x| [x, y, z, 5]));
        }
    }
    let there = session.buffer(&places)?;
    let pixels: Vec<[u8; 4]> = (0..size.iter().product())
        .map(|_| random.word().to_le_bytes())
        .collect();
    let shape = Shape::Volume(WIDTH, HEIGHT, DEPTH);
    let image = session.image((CL_RGBA, CL_UNSIGNED_INT8), shape, &pixels)?;
    let result = session.buffer(&vec![[7u32; 4]; 3 * places.len()])?;
    let arguments: [&dyn Argument; 4] = [&image, &host, &there, &result];
    session.run(&kernel, &[places.len()], &[], &arguments)?;
    let of_all = places
        .iter()
        .map(|&[x, y, z, _]| pixel(&pixels, size, [x, y, z], [0; 4]).map(u32::from));
    let expected: Vec<[u32; 4]> = of_all.collect();
    let got = session.read(&result)?;
    for (part, what) in ["integers", "floats", "the host's sampler"]
        .into_iter()
        .enumerate()
    {
        let got = &got[part * places.len()..][..places.len()];
        equal(&format!("3D, {what}"), got, &expected)?;
    }
    Ok(())
}

/// Layers of an array are clamped to the nearest one; within a layer there is a border.
fn lines_and_stacks(session: &Session) -> Result<()> {
    let program = session.program(
        r"constant sampler_t clamped = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void line(read_only image1d_t image, global const int *places, global uint4 *result)
{
    const size_t here = get_global_id(0);
    result[here] = read_imageui(image, clamped, places[here]);
}

kernel void stack(read_only image2d_array_t image, global const int4 *places, global uint4 *result)
{
    const size_t here = get_global_id(0);
    result[here] = read_imageui(image, clamped, places[here]);
}
",
        "",
    )?;
    let mut random = session.random();
    let format = (CL_RGBA, CL_UNSIGNED_INT32);
    let pixels: Vec<[u32; 4]> = (0..WIDTH * HEIGHT * DEPTH)
        .map(|_| [0; 4].map(|_| random.word()))
        .collect();
    let image = session.image(format, Shape::Line(WIDTH), &pixels[..WIDTH])?;
    let places = around(WIDTH);
    let there = session.buffer(&places)?;
    let result = session.buffer(&vec![[7u32; 4]; places.len()])?;
    let kernel = program.kernel("line")?;
    session.run(&kernel, &[places.len()], &[], &[&image, &there, &result])?;
    let expected: Vec<[u32; 4]> = places
        .iter()
        .map(|&x| pixel(&pixels, [WIDTH, 1, 1], [x, 0, 0], [0; 4]))
        .collect();
    equal("1D", &session.read(&result)?, &expected)?;

    let image = session.image(format, Shape::Stack(WIDTH, HEIGHT, DEPTH), &pixels)?;
    let mut places = Vec::new();
    for layer in [-2, 0, 1, 2, 3, 50] {
        for y in around(HEIGHT) {
            places.extend(around(WIDTH).into_iter().map(|x| [x, y, layer, 0]));
        }
    }
    let there = session.buffer(&places)?;
    let result = session.buffer(&vec![[7u32; 4]; places.len()])?;
    let kernel = program.kernel("stack")?;
    session.run(&kernel, &[places.len()], &[], &[&image, &there, &result])?;
    let size = [WIDTH, HEIGHT, DEPTH];
    let expected: Vec<[u32; 4]> = places
        .iter()
        .map(|&[x, y, layer, _]| {
            let layer = layer.clamp(0, DEPTH as i32 - 1);
            pixel(&pixels, size, [x, y, layer], [0; 4])
        })
        .collect();
    equal("2D array", &session.read(&result)?, &expected)
}

const QUERIES: &str = r"constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void test(read_only image1d_t line, read_only image2d_t plane, read_only image2d_array_t stack,
                 read_only image3d_t volume, write_only image2d_t written, sampler_t host,
                 global int *result, global float4 *pixels)
{
    *result++ = get_image_width(line);
    *result++ = get_image_width(plane);
    *result++ = get_image_height(plane);
    *result++ = get_image_dim(plane).x;
    *result++ = get_image_dim(plane).y;
    *result++ = get_image_width(stack);
    *result++ = get_image_height(stack);
    *result++ = (int)get_image_array_size(stack);
    *result++ = get_image_dim(stack).x;
    *result++ = get_image_dim(stack).y;
    *result++ = get_image_width(volume);
    *result++ = get_image_height(volume);
    *result++ = get_image_depth(volume);
    const int4 size = get_image_dim(volume);
    *result++ = size.x;
    *result++ = size.y;
    *result++ = size.z;
    *result++ = size.w;
    *result++ = get_image_width(written);
    *result++ = get_image_height(written);
    *result++ = get_image_channel_data_type(line) == CLK_UNSIGNED_INT8;
    *result++ = get_image_channel_data_type(plane) == CLK_FLOAT;
    *result++ = get_image_channel_data_type(stack) == CLK_UNORM_INT8;
    *result++ = get_image_channel_data_type(volume) == CLK_SIGNED_INT32;
    *result++ = get_image_channel_data_type(written) == CLK_FLOAT;
    *result++ = get_image_channel_order(line) == CLK_RGBA;
    *result++ = get_image_channel_order(plane) == CLK_RGBA;
    *result++ = get_image_channel_order(written) == CLK_R;
    const int2 last = get_image_dim(plane) - 1;
    pixels[0] = read_imagef(plane, edge, last);
    pixels[1] = read_imagef(plane, host, last);
    pixels[2] = read_imagef(plane, edge, last + 100);
    pixels[3] = read_imagef(plane, host, (float2)(-1.0f, 0.5f));
    pixels[4] = convert_float4(read_imagei(volume, host, get_image_dim(volume) - 1));
    pixels[5] = read_imagef(stack, edge, (int4)(1, 2, get_image_array_size(stack) - 1, 0));
}
";

/// Sizes, channel order and type of images, in the same kernel as reads with the program's
/// sampler and the host's.
pub fn queries(session: &Session) -> Result<()> {
    let program = session.program(QUERIES, "")?;
    let kernel = program.kernel("test")?;
    let line = session.image(
        (CL_RGBA, CL_UNSIGNED_INT8),
        Shape::Line(11),
        &[[0u8; 4]; 11],
    )?;
    let pixel = |place: usize| [0.5, 1.5, 2.5, 3.5].map(|part| place as f32 + part);
    let of_plane: Vec<[f32; 4]> = (0..WIDTH * HEIGHT).map(pixel).collect();
    let plane = session.image((CL_RGBA, CL_FLOAT), Shape::Plane(WIDTH, HEIGHT), &of_plane)?;
    // Other values of normalised integers may be off by 1.5 ulp (section 8.3.1.1).
    let of_stack: Vec<[u8; 4]> = (0..6 * 4 * 2)
        .map(|place| [1, 2, 4, 8].map(|bit| if place & bit == 0 { 0 } else { 255 }))
        .collect();
    let stack = session.image((CL_RGBA, CL_UNORM_INT8), Shape::Stack(6, 4, 2), &of_stack)?;
    let of_volume: Vec<[i32; 4]> = (0..9 * 8 * 3).map(|place| [place, -place, 7, -9]).collect();
    let volume = session.image(
        (CL_RGBA, CL_SIGNED_INT32),
        Shape::Volume(9, 8, 3),
        &of_volume,
    )?;
    let written = session.image((CL_R, CL_FLOAT), Shape::Plane(13, 2), &[0.0f32; 26])?;
    let host = session.sampler(false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST)?;
    let expected = [
        11, 7, 5, 7, 5, 6, 4, 2, 6, 4, 9, 8, 3, 9, 8, 3, 0, 13, 2, 1, 1, 1, 1, 1, 1, 1, 1,
    ];
    let result = session.buffer(&[-7; 27])?;
    let pixels = session.buffer(&[[-7.0f32; 4]; 6])?;
    let arguments: [&dyn Argument; 8] = [
        &line, &plane, &stack, &volume, &written, &host, &result, &pixels,
    ];
    session.run(&kernel, &[1], &[1], &arguments)?;
    equal("queries", &session.read(&result)?, &expected)?;
    let last = of_plane[WIDTH * HEIGHT - 1];
    let in_stack = of_stack[(4 + 2) * 6 + 1].map(|byte| f32::from(byte) / 255.0);
    let expected = [
        last,
        last,
        last,
        of_plane[0],
        [215.0, -215.0, 7.0, -9.0],
        in_stack,
    ];
    equal("pixels", &session.read(&pixels)?, &expected)
}
