//! Reads and writes of every format in kernels.

use super::objects::{TYPES, coordinates, create, description, image, name, supported, transfer};
use super::pixel::{Channel, Colour, Format, Layout};
use crate::cases::calls::{self, answer, number};
use crate::compare::equal;
use anyhow::{Context as _, Result, bail, ensure};
use cl_sys::*;
use half::f16;
use harness::feature::Feature;
use harness::object::{Memory, Object};
use harness::random::Random;
use harness::session::{Argument, Program, Session};
use opencl3::kernel::Kernel;
use std::fmt::Write as _;
use std::ptr::null_mut;

/// An image as kernel argument.
pub struct Handle<'a>(pub &'a Object<Memory>);

impl Argument for Handle<'_> {
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()> {
        let handle = self.0.get();
        // SAFETY: the handle is copied during the call.
        Ok(unsafe { kernel.set_arg(index, &handle) }?)
    }
}

const CLASSES: [(&str, &str); 3] = [("f", "float4"), ("i", "int4"), ("ui", "uint4")];

/// The coordinates of a work-item's pixel.
const WHERE: &str = "    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n    \
     const int at = (z * get_global_size(1) + y) * get_global_size(0) + x;\n";

/// Types that kernels can read or write. Writes to three-dimensional images are an extension.
fn types(session: &Session, written: bool) -> Result<Vec<(cl_uint, [usize; 3])>> {
    let volumes = Feature::Extension("cl_khr_3d_image_writes");
    let volumes = !written || session.has(volumes)?;
    let mut types = TYPES.to_vec();
    types.push((CL_MEM_OBJECT_IMAGE1D_BUFFER, [13, 1, 1]));
    types.retain(|(image_type, _)| volumes || *image_type != CL_MEM_OBJECT_IMAGE3D);
    Ok(types)
}

/// An image with its own memory, or of a buffer.
fn any_image(
    session: &Session,
    flags: cl_bitfield,
    format: Format,
    image_type: cl_uint,
    extent: [usize; 3],
) -> Result<Object<Memory>> {
    let mut description = description(image_type, extent);
    if image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER {
        return create(session, flags, format, &description, null_mut());
    }
    // The largest pixels have 16 bytes.
    let bytes = vec![0; extent[0] * 16];
    let buffer = calls::buffer(session.context.get(), CL_MEM_READ_WRITE, &bytes)?;
    description.buffer = buffer.get();
    create(session, flags, format, &description, null_mut())
}

fn element_bytes(image: &Object<Memory>) -> Result<usize> {
    number(answer!(clGetImageInfo(image.get(), CL_IMAGE_ELEMENT_SIZE))?)
}

fn say(image_type: cl_uint, format: Format) -> String {
    format!(
        "{} with channel order {:#x}, channel type {:#x}",
        name(image_type),
        format.0,
        format.1
    )
}

fn build(session: &Session, source: &str) -> Result<Program> {
    session.program(source, "")
}

/// The supported formats that the suite knows, each with an image.
fn each_format(
    session: &Session,
    flags: cl_bitfield,
    (image_type, extent): (cl_uint, [usize; 3]),
    mut check: impl FnMut(Format, Layout, Object<Memory>) -> Result<()>,
) -> Result<()> {
    let formats = supported(session, flags, image_type)?;
    ensure!(!formats.is_empty(), "no formats of {}", name(image_type));
    for format in formats {
        if Layout::new(format, 0).is_none() {
            continue;
        }
        let what = || say(image_type, format);
        let image = any_image(session, flags, format, image_type, extent).with_context(what)?;
        let bytes = element_bytes(&image)?;
        if let Some(layout) = Layout::new(format, bytes) {
            check(format, layout, image).with_context(what)?;
        }
    }
    Ok(())
}

/// The host writes random pixels, and a kernel reads them.
pub fn read(session: &Session) -> Result<()> {
    let mut random = session.random();
    let types = types(session, false)?;
    let mut source = String::new();
    for (image_type, _) in &types {
        let (kind, at) = (name(*image_type), coordinates(*image_type, "int"));
        for (suffix, vector) in CLASSES {
            let _ = write!(
                source,
                "kernel void {kind}_{suffix}(read_only {kind} image, global {vector} *out)\n\
                 {{\n{WHERE}    out[at] = read_image{suffix}(image, {at});\n}}\n"
            );
        }
    }
    let program = build(session, &source)?;
    for (image_type, extent) in types {
        let count: usize = extent.iter().product();
        each_format(
            session,
            CL_MEM_READ_ONLY,
            (image_type, extent),
            |_, layout, image| {
                let mut pixels = layout.pixels(&mut random, count);
                let all = [[0; 3], extent];
                transfer(session, &image, all, [0, 0], &mut pixels, true)?;
                let (suffix, _) = layout.class();
                let kernel = program.kernel(&format!("{}_{suffix}", name(image_type)))?;
                let out = session.zeros::<[u32; 4]>(count)?;
                let arguments: [&dyn Argument; 2] = [&Handle(&image), &out];
                session.run(&kernel, &extent, &[], &arguments)?;
                for (place, (got, pixel)) in session
                    .read(&out)?
                    .into_iter()
                    .zip(pixels.chunks(layout.bytes))
                    .enumerate()
                {
                    compare(got, layout.colour(pixel), layout.channel)
                        .with_context(|| format!("pixel {place}, {pixel:x?}"))?;
                }
                Ok(())
            },
        )?;
    }
    Ok(())
}

/// Compares a colour, as four words from the kernel, with the expected one. Normalised channels
/// may be 1.5 ulp off, except at the ends of the range (section 8.3.1.1).
fn compare(got: [u32; 4], expected: Colour, channel: Channel) -> Result<()> {
    match expected {
        Colour::Integer(expected) => {
            let signed = matches!(channel, Channel::Integer(_, true));
            let got = got.map(|word| {
                if signed {
                    i64::from(word as i32)
                } else {
                    i64::from(word)
                }
            });
            ensure!(got == expected, "became {got:?}, expected {expected:?}");
        }
        Colour::Real(expected) => {
            let got = got.map(|word| f64::from(f32::from_bits(word)));
            let normalised = matches!(channel, Channel::Normalised(..));
            let near = got.iter().zip(expected).all(|(got, expected)| {
                let ends = [0.0, 1.0, -1.0].contains(&expected);
                let off = if normalised && !ends {
                    1.5 * expected.abs() * f64::from(f32::EPSILON)
                } else {
                    0.0
                };
                (got - expected).abs() <= off
            });
            ensure!(near, "became {got:?}, expected {expected:?}");
        }
    }
    Ok(())
}

/// Colours for a kernel to write, as words, and the value of each component.
fn colours(layout: &Layout, random: &mut Random, count: usize) -> Vec<([u32; 4], [f64; 4])> {
    let mut component = || match layout.channel {
        Channel::Integer(bits, signed) => {
            // A third of the values exceeds the range of the channel.
            let word = match random.below(3) {
                0 => random.word(),
                _ if signed => (random.word() as i32 >> (32 - bits)) as u32,
                _ => random.word() >> (32 - bits),
            };
            let value = if signed {
                f64::from(word as i32)
            } else {
                f64::from(word)
            };
            (word, value)
        }
        Channel::Normalised(_, signed) => {
            let value = random.float(if signed { -1.3 } else { -0.3 }, 1.3);
            (value.to_bits(), value.into())
        }
        Channel::Half => {
            let value = f16::from_f32(random.float(-1000.0, 1000.0)).to_f32();
            (value.to_bits(), value.into())
        }
        Channel::Float => {
            let value = random.float(-1000.0, 1000.0);
            (value.to_bits(), value.into())
        }
    };
    (0..count)
        .map(|_| {
            let all: [(u32, f64); 4] = std::array::from_fn(|_| component());
            (all.map(|(word, _)| word), all.map(|(_, value)| value))
        })
        .collect()
}

/// A kernel writes random colours, and the host reads them.
pub fn written(session: &Session) -> Result<()> {
    let mut random = session.random();
    let types = types(session, true)?;
    let mut source = String::new();
    if types.iter().any(|(kind, _)| *kind == CL_MEM_OBJECT_IMAGE3D) {
        source.push_str("#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n");
    }
    for (image_type, _) in &types {
        let (kind, at) = (name(*image_type), coordinates(*image_type, "int"));
        for (suffix, vector) in CLASSES {
            let _ = write!(
                source,
                "kernel void {kind}_{suffix}(write_only {kind} image, global const {vector} *in)\n\
                 {{\n{WHERE}    write_image{suffix}(image, {at}, in[at]);\n}}\n"
            );
        }
    }
    let program = build(session, &source)?;
    for (image_type, extent) in types {
        let count: usize = extent.iter().product();
        each_format(
            session,
            CL_MEM_WRITE_ONLY,
            (image_type, extent),
            |_, layout, image| {
                let (suffix, _) = layout.class();
                let kernel = program.kernel(&format!("{}_{suffix}", name(image_type)))?;
                let colours = colours(&layout, &mut random, count);
                let words: Vec<[u32; 4]> = colours.iter().map(|(words, _)| *words).collect();
                let there = session.buffer(&words)?;
                let arguments: [&dyn Argument; 2] = [&Handle(&image), &there];
                session.run(&kernel, &extent, &[], &arguments)?;
                let mut pixels = vec![0; count * layout.bytes];
                let all = [[0; 3], extent];
                transfer(session, &image, all, [0, 0], &mut pixels, false)?;
                for (place, (pixel, (_, colour))) in
                    pixels.chunks(layout.bytes).zip(colours).enumerate()
                {
                    holds(&layout, pixel, colour).with_context(|| format!("pixel {place}"))?;
                }
                Ok(())
            },
        )?;
    }
    Ok(())
}

/// Whether a pixel has a colour: saturated, with normalised channels rounded within 0.6 units
/// (section 8.3.1.2).
fn holds(layout: &Layout, pixel: &[u8], colour: [f64; 4]) -> Result<()> {
    let numbers = layout.numbers(pixel);
    for (&component, (got, largest)) in layout.components.iter().zip(numbers) {
        let (expected, off) = match layout.channel {
            Channel::Normalised(_, signed) => {
                let least = if signed { -largest - 1.0 } else { 0.0 };
                ((colour[component] * largest).clamp(least, largest), 0.6)
            }
            Channel::Integer(_, signed) => {
                let least = if signed { -largest - 1.0 } else { 0.0 };
                (colour[component].clamp(least, largest), 0.0)
            }
            Channel::Half | Channel::Float => (colour[component], 0.0),
        };
        if (got - expected).abs() > off {
            bail!("{pixel:x?} holds {got}, expected {expected}, of the colour {colour:?}");
        }
    }
    Ok(())
}

/// Sizes and formats agree between `clGetImageInfo` and the functions of kernels.
pub fn queries(session: &Session) -> Result<()> {
    let mut source = String::new();
    for (image_type, _) in TYPES {
        let kind = name(image_type);
        let (high, deep, many) = match image_type {
            CL_MEM_OBJECT_IMAGE1D => ("1", "1", "1"),
            CL_MEM_OBJECT_IMAGE1D_ARRAY => ("1", "1", "get_image_array_size(image)"),
            CL_MEM_OBJECT_IMAGE2D => ("get_image_height(image)", "1", "1"),
            CL_MEM_OBJECT_IMAGE2D_ARRAY => (
                "get_image_height(image)",
                "1",
                "get_image_array_size(image)",
            ),
            _ => ("get_image_height(image)", "get_image_depth(image)", "1"),
        };
        let _ = write!(
            source,
            "kernel void query_{kind}(read_only {kind} image, global int *out)\n{{\n    \
             out[0] = get_image_width(image);\n    out[1] = {high};\n    out[2] = {deep};\n    \
             out[3] = {many};\n    \
             out[4] = get_image_channel_data_type(image) == CLK_FLOAT;\n    \
             out[5] = get_image_channel_order(image) == CLK_RGBA;\n    \
             out[6] = get_image_channel_data_type(image) == CLK_UNSIGNED_INT8;\n}}\n"
        );
    }
    let program = build(session, &source)?;
    for (image_type, extent) in TYPES {
        let [width, height, depth] = extent;
        let (high, deep, many) = match image_type {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => (0, 0, height),
            CL_MEM_OBJECT_IMAGE2D_ARRAY => (height, 0, depth),
            CL_MEM_OBJECT_IMAGE3D => (height, depth, 0),
            CL_MEM_OBJECT_IMAGE2D => (height, 0, 0),
            _ => (0, 0, 0),
        };
        for (data_type, bytes) in [(CL_FLOAT, 16), (CL_UNSIGNED_INT8, 4)] {
            let format = (CL_RGBA, data_type);
            let what = say(image_type, format);
            let image = image(session, format, image_type, extent)?;
            for (query, expected) in [
                (CL_IMAGE_WIDTH, width),
                (CL_IMAGE_HEIGHT, high),
                (CL_IMAGE_DEPTH, deep),
                (CL_IMAGE_ARRAY_SIZE, many),
                (CL_IMAGE_ELEMENT_SIZE, bytes),
                (CL_IMAGE_ROW_PITCH, width * bytes),
            ] {
                let got: usize = number(answer!(clGetImageInfo(image.get(), query))?)?;
                equal(&format!("{query:#x} of {what}"), &[got], &[expected])?;
            }
            let got: [u32; 2] = number(answer!(clGetImageInfo(image.get(), CL_IMAGE_FORMAT))?)?;
            equal(&format!("format of {what}"), &got, &[CL_RGBA, data_type])?;
            let got: u32 = number(answer!(clGetMemObjectInfo(image.get(), CL_MEM_TYPE))?)?;
            equal(&format!("type of {what}"), &[got], &[image_type])?;
            let kernel = program.kernel(&format!("query_{}", name(image_type)))?;
            let out = session.buffer(&[-1; 7])?;
            let arguments: [&dyn Argument; 2] = [&Handle(&image), &out];
            session.run(&kernel, &[1], &[1], &arguments)?;
            let float = i32::from(data_type == CL_FLOAT);
            let sizes = [width, high.max(1), deep.max(1), many.max(1)].map(|size| size as i32);
            let expected = [sizes.to_vec(), vec![float, 1, 1 - float]].concat();
            equal(
                &format!("what a kernel reads of {what}"),
                &session.read(&out)?,
                &expected,
            )?;
        }
    }
    Ok(())
}
