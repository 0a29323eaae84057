//! Images in the host API: formats, copies from and to buffers, fills.

use super::calls::{self, refused};
use super::commands;
use crate::compare::equal;
use anyhow::{Result, ensure};
use cl_sys::*;
use harness::call::{code, made, ok};
use harness::object::{Memory, Object};
use harness::session::Session;
use std::ptr::{null, null_mut};

/// The description of an image with default pitches and no buffer.
pub fn description(image_type: cl_uint, [width, height, depth]: [usize; 3]) -> cl_image_desc {
    cl_image_desc {
        image_type,
        image_width: width,
        image_height: height,
        image_depth: depth,
        image_array_size: if image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY {
            height
        } else {
            depth
        },
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: null_mut(),
    }
}

/// An image of this channel order and data type.
///
/// # Errors
/// `clCreateImage`'s.
pub fn image(
    session: &Session,
    (order, channels): (cl_uint, cl_uint),
    image_type: cl_uint,
    size: [usize; 3],
) -> Result<Object<Memory>> {
    let format = cl_image_format {
        image_channel_order: order,
        image_channel_data_type: channels,
    };
    let description = description(image_type, size);
    made!(clCreateImage(
        session.context.get(),
        CL_MEM_READ_WRITE,
        &raw const format,
        &raw const description,
        null_mut()
    ))
    .map(Object::new)
}

/// The formats that section 5.3.2.1 requires of devices with images, for reading and writing.
const REQUIRED: [(cl_uint, cl_uint); 11] = [
    (CL_RGBA, CL_UNORM_INT8),
    (CL_RGBA, CL_UNORM_INT16),
    (CL_RGBA, CL_SIGNED_INT8),
    (CL_RGBA, CL_SIGNED_INT16),
    (CL_RGBA, CL_SIGNED_INT32),
    (CL_RGBA, CL_UNSIGNED_INT8),
    (CL_RGBA, CL_UNSIGNED_INT16),
    (CL_RGBA, CL_UNSIGNED_INT32),
    (CL_RGBA, CL_HALF_FLOAT),
    (CL_RGBA, CL_FLOAT),
    (CL_BGRA, CL_UNORM_INT8),
];

/// The lists of formats for all image types and access flags contain the required formats, no
/// format twice, and only formats with which an image can be created.
pub fn formats(session: &Session) -> Result<()> {
    let context = session.context.get();
    for flags in [CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE] {
        for (image_type, size) in [
            (CL_MEM_OBJECT_IMAGE1D, [4, 1, 1]),
            (CL_MEM_OBJECT_IMAGE2D, [4, 4, 1]),
            (CL_MEM_OBJECT_IMAGE3D, [4, 4, 2]),
            (CL_MEM_OBJECT_IMAGE1D_ARRAY, [4, 2, 1]),
            (CL_MEM_OBJECT_IMAGE2D_ARRAY, [4, 4, 2]),
        ] {
            let list = supported_formats(context, flags, image_type)?;
            check_formats(context, flags, (image_type, size), &list)?;
        }
    }
    let flags = CL_MEM_READ_ONLY;
    refused!(
        CL_INVALID_VALUE,
        clGetSupportedImageFormats(context, flags, CL_MEM_OBJECT_BUFFER, 0, null_mut(), &mut 0)
    )?;
    refused!(
        CL_INVALID_CONTEXT,
        clGetSupportedImageFormats(
            null_mut(),
            flags,
            CL_MEM_OBJECT_IMAGE2D,
            0,
            null_mut(),
            &mut 0
        )
    )
}

/// The list of `clGetSupportedImageFormats`: channel orders and data types.
fn supported_formats(
    context: cl_context,
    flags: cl_mem_flags,
    image_type: cl_uint,
) -> Result<Vec<[cl_uint; 2]>> {
    let mut count = 0;
    ok!(clGetSupportedImageFormats(
        context,
        flags,
        image_type,
        0,
        null_mut(),
        &raw mut count
    ))?;
    let mut list: Vec<[cl_uint; 2]> = vec![[0; 2]; count as usize + 1];
    ok!(clGetSupportedImageFormats(
        context,
        flags,
        image_type,
        count,
        list.as_mut_ptr().cast(),
        null_mut()
    ))?;
    equal(
        "the element behind the list",
        &list.split_off(count as usize),
        &[[0; 2]],
    )?;
    let mut one = [[0; 2]; 2];
    ok!(clGetSupportedImageFormats(
        context,
        flags,
        image_type,
        1,
        one.as_mut_ptr().cast(),
        null_mut()
    ))?;
    equal("a list of one", &one, &[list[0], [0; 2]])?;
    Ok(list)
}

fn check_formats(
    context: cl_context,
    flags: cl_mem_flags,
    (image_type, size): (cl_uint, [usize; 3]),
    list: &[[cl_uint; 2]],
) -> Result<()> {
    let what = format!("formats of image type {image_type:#x} for flags {flags}");
    for (order, channels) in REQUIRED {
        ensure!(
            list.contains(&[order, channels]),
            "{what} lack order {order:#x} with {channels:#x}"
        );
    }
    for (place, format) in list.iter().enumerate() {
        ensure!(
            !list[..place].contains(format),
            "{what} hold {format:x?} twice"
        );
        let [image_channel_order, image_channel_data_type] = *format;
        let format_of = cl_image_format {
            image_channel_order,
            image_channel_data_type,
        };
        let description = description(image_type, size);
        made!(clCreateImage(
            context,
            flags,
            &raw const format_of,
            &raw const description,
            null_mut()
        ))
        .map(Object::<Memory>::new)
        .map_err(|error| error.context(format!("{what}: {format:x?}")))?;
    }
    Ok(())
}

/// A region of an image, in pixels.
#[derive(Clone, Copy)]
struct Region {
    origin: [usize; 3],
    size: [usize; 3],
}

impl Region {
    fn pixels(self) -> usize {
        self.size.iter().product()
    }

    /// The index of each pixel in an image of `size` pixels.
    fn places(self, size: [usize; 3]) -> Vec<usize> {
        let region = self.size;
        (0..self.pixels())
            .map(|place| {
                let at = [
                    place % region[0],
                    place / region[0] % region[1],
                    place / (region[0] * region[1]),
                ];
                let [x, y, z] = [0, 1, 2].map(|axis| at[axis] + self.origin[axis]);
                x + size[0] * (y + size[1] * z)
            })
            .collect()
    }
}

/// A copy between a buffer and an image: the image's type, its size in pixels, the region that is
/// copied to it and the region that is read back, each as origin and size.
type BufferCopy = (cl_uint, [usize; 3], [[usize; 3]; 2], [[usize; 3]; 2]);

const BUFFER_COPIES: [BufferCopy; 3] = [
    (
        CL_MEM_OBJECT_IMAGE2D,
        [17, 9, 1],
        [[3, 2, 0], [11, 5, 1]],
        [[4, 1, 0], [7, 6, 1]],
    ),
    (
        CL_MEM_OBJECT_IMAGE2D,
        [64, 64, 1],
        [[0, 0, 0], [64, 64, 1]],
        [[0, 0, 0], [64, 64, 1]],
    ),
    (
        CL_MEM_OBJECT_IMAGE3D,
        [9, 8, 5],
        [[1, 2, 3], [6, 5, 2]],
        [[0, 1, 2], [9, 6, 3]],
    ),
];

/// Offset of the pixels in the buffers, in bytes.
const OFFSET: usize = 12;

/// Copies a buffer to a region of an image, and another region back.
pub fn buffer_copies(session: &Session) -> Result<()> {
    let queue = calls::queue(session, 0)?;
    let queue = queue.get();
    let mut random = session.random();
    for (image_type, size, written, read) in BUFFER_COPIES {
        let [written, read] = [written, read].map(|[origin, size]| Region { origin, size });
        let pixels: usize = size.iter().product();
        let image = image(session, (CL_RGBA, CL_UNSIGNED_INT8), image_type, size)?;
        let mut model = random.words(pixels);
        ok!(clEnqueueWriteImage(
            queue,
            image.get(),
            CL_TRUE,
            [0usize; 3].as_ptr(),
            size.as_ptr(),
            0,
            0,
            model.as_mut_ptr().cast(),
            0,
            null(),
            null_mut()
        ))?;
        let moved = random.words(written.pixels());
        from_buffer(session, queue, &image, written, &moved)?;
        for (place, pixel) in written.places(size).into_iter().zip(moved) {
            model[place] = pixel;
        }
        let got = to_buffer(session, queue, &image, read)?;
        let unchanged = 0xEEEE_EEEE;
        let mut expected = vec![unchanged; OFFSET / 4];
        let places = read.places(size).into_iter();
        expected.extend(places.map(|place| model[place]));
        expected.push(unchanged);
        equal(
            &format!("a region of an image of {size:?} pixels"),
            &got,
            &expected,
        )?;
        refused!(
            CL_INVALID_MEM_OBJECT,
            clEnqueueCopyBufferToImage(
                queue,
                null_mut(),
                image.get(),
                0,
                written.origin.as_ptr(),
                written.size.as_ptr(),
                0,
                null(),
                null_mut()
            )
        )?;
    }
    Ok(())
}

/// Copies pixels from a buffer.
fn from_buffer(
    session: &Session,
    queue: cl_command_queue,
    image: &Object<Memory>,
    region: Region,
    pixels: &[u32],
) -> Result<()> {
    let bytes: Vec<u8> = [vec![0; OFFSET], bytemuck::cast_slice(pixels).to_vec()].concat();
    let from = calls::buffer(session.context.get(), CL_MEM_READ_WRITE, &bytes)?;
    ok!(clEnqueueCopyBufferToImage(
        queue,
        from.get(),
        image.get(),
        OFFSET,
        region.origin.as_ptr(),
        region.size.as_ptr(),
        0,
        null(),
        null_mut()
    ))
}

/// Copies a region to a buffer of bytes `0xEE`. Returns the buffer's contents.
fn to_buffer(
    session: &Session,
    queue: cl_command_queue,
    image: &Object<Memory>,
    region: Region,
) -> Result<Vec<u32>> {
    let count = region.pixels();
    let to = calls::buffer(
        session.context.get(),
        CL_MEM_READ_WRITE,
        &vec![0xEE; OFFSET + count * 4 + 4],
    )?;
    ok!(clEnqueueCopyImageToBuffer(
        queue,
        image.get(),
        to.get(),
        region.origin.as_ptr(),
        region.size.as_ptr(),
        OFFSET,
        0,
        null(),
        null_mut()
    ))?;
    commands::read(queue, to.get(), 0, OFFSET / 4 + count + 1)
}

/// Fills with colours as floats: normalised channels contain the nearest integers (section 8.3.1),
/// clamped to the range.
pub fn normalised_conversion(session: &Session) -> Result<()> {
    let mut random = session.random();
    let mut colours: Vec<[f32; 4]> = vec![
        [0.0, 1.0, 0.5, -0.0],
        [-1.0, -0.5, 2.0, -3.0],
        [1.5, -1.5, 1e-30, -1e-30],
        [1000.0, -1000.0, 100.0, -100.0],
        [
            0.499 / 255.0,
            0.501 / 255.0,
            254.501 / 255.0,
            254.499 / 255.0,
        ],
        [0.499 / 127.0, -0.501 / 127.0, 126.6 / 127.0, -126.4 / 127.0],
    ];
    colours.extend((0..150).map(|_| [0; 4].map(|_| random.float(-1.1, 1.1))));
    filled(session, &colours)
}

/// The conversions of section 8.3.1 saturate: values that exceed integers, or become infinite by
/// scaling, are out of range like other numbers (6.2.3.3).
pub fn overflowing_colours(session: &Session) -> Result<()> {
    const MORE: f32 = f32::INFINITY;
    let colours = [
        [1e9, -1e9, f32::MAX, f32::MIN],
        [MORE, -MORE, 0.0, 1.0],
        [-MORE, MORE, MORE, -1.0],
    ];
    filled(session, &colours)
}

/// Fills images of all normalised channel types with each of these colours.
fn filled(session: &Session, colours: &[[f32; 4]]) -> Result<()> {
    let queue = calls::queue(session, 0)?;
    let queue = queue.get();
    for (channels, bytes, low, high) in [
        (CL_UNORM_INT8, 1, 0.0, 255.0),
        (CL_UNORM_INT16, 2, 0.0, 65535.0),
        (CL_SNORM_INT8, 1, -128.0, 127.0),
        (CL_SNORM_INT16, 2, -32768.0, 32767.0),
    ] {
        let format = cl_image_format {
            image_channel_order: CL_RGBA,
            image_channel_data_type: channels,
        };
        let description = description(CL_MEM_OBJECT_IMAGE2D, [3, 2, 1]);
        let mut code = 0;
        let made = code!(clCreateImage(
            session.context.get(),
            CL_MEM_READ_WRITE,
            &raw const format,
            &raw const description,
            null_mut(),
            &raw mut code
        ));
        // Only the unsigned formats are required.
        if code == CL_IMAGE_FORMAT_NOT_SUPPORTED && low < 0.0 {
            continue;
        }
        calls::is("clCreateImage", code, CL_SUCCESS)?;
        let image: Object<Memory> = Object::new(made);
        let (origin, region, pixel) = ([1usize, 1, 0], [1usize, 1, 1], 4 * bytes);
        for colour in colours {
            ok!(clEnqueueFillImage(
                queue,
                image.get(),
                colour.as_ptr().cast(),
                origin.as_ptr(),
                region.as_ptr(),
                0,
                null(),
                null_mut()
            ))?;
            let mut got = vec![0u8; pixel];
            ok!(clEnqueueReadImage(
                queue,
                image.get(),
                CL_TRUE,
                origin.as_ptr(),
                region.as_ptr(),
                0,
                0,
                got.as_mut_ptr().cast(),
                0,
                null(),
                null_mut()
            ))?;
            for (&channel, bytes) in colour.iter().zip(got.chunks(bytes)) {
                let got = f64::from(match *bytes {
                    [byte] if low < 0.0 => i32::from(byte as i8),
                    [byte] => i32::from(byte),
                    [first, second] if low < 0.0 => i32::from(i16::from_ne_bytes([first, second])),
                    [first, second] => i32::from(u16::from_ne_bytes([first, second])),
                    _ => unreachable!("channels of one or two bytes"),
                });
                let exact = (f64::from(channel) * high).clamp(low, high);
                // The device multiplies in floats, and may be off by 0.6.
                ensure!(
                    (got - exact).abs() <= 0.6,
                    "{channel} in channels {channels:#x} became {got}, expected {exact} rounded"
                );
            }
        }
    }
    Ok(())
}
