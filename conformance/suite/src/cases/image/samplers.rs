//! Samplers, compared with the formulas of section 8.2 in doubles.

use super::formats::Handle;
use super::objects::{TYPES, coordinates, image, name, supported, transfer};
use super::pixel::{Format, Layout};
use crate::compare::equal;
use anyhow::{Context as _, Result, ensure};
use cl_sys::*;
use harness::random::Random;
use harness::session::{Argument, Program, Session};
use std::fmt::Write as _;

/// Addressing modes, with their names in OpenCL C, and whether they require normalised coordinates.
const ADDRESSING: [(cl_uint, &str, bool); 5] = [
    (CL_ADDRESS_NONE, "NONE", false),
    (CL_ADDRESS_CLAMP_TO_EDGE, "CLAMP_TO_EDGE", false),
    (CL_ADDRESS_CLAMP, "CLAMP", false),
    (CL_ADDRESS_REPEAT, "REPEAT", true),
    (CL_ADDRESS_MIRRORED_REPEAT, "MIRRORED_REPEAT", true),
];

const FLOATS: Format = (CL_RGBA, CL_FLOAT);

/// Pixels with a border colour.
struct Picture {
    extent: [usize; 3],
    pixels: Vec<[f64; 4]>,
}

impl Picture {
    /// The pixel at these coordinates; `None` is the border.
    fn at(&self, [x, y, z]: [Option<usize>; 3]) -> [f64; 4] {
        match (x, y, z) {
            (Some(x), Some(y), Some(z)) => {
                self.pixels[(z * self.extent[1] + y) * self.extent[0] + x]
            }
            _ => [0.0; 4],
        }
    }
}

/// The pixels along one axis that a coordinate selects, each with its weight.
fn along(
    coordinate: f64,
    size: usize,
    addressing: cl_uint,
    normalised: bool,
    linear: bool,
) -> Vec<(Option<usize>, f64)> {
    let width = size as f64;
    let last = size as i64 - 1;
    let unnormalised = match addressing {
        CL_ADDRESS_REPEAT => (coordinate - coordinate.floor()) * width,
        CL_ADDRESS_MIRRORED_REPEAT => {
            let even = 2.0 * (0.5 * coordinate).round_ties_even();
            (coordinate - even).abs() * width
        }
        _ if normalised => coordinate * width,
        _ => coordinate,
    };
    let inside = |index: i64| -> Option<usize> {
        match addressing {
            CL_ADDRESS_REPEAT => usize::try_from(index.rem_euclid(size as i64)).ok(),
            CL_ADDRESS_CLAMP => usize::try_from(index).ok().filter(|index| *index < size),
            _ => usize::try_from(index.clamp(0, last)).ok(),
        }
    };
    if !linear {
        return vec![(inside(unnormalised.floor() as i64), 1.0)];
    }
    let first = (unnormalised - 0.5).floor();
    let share = unnormalised - 0.5 - first;
    vec![
        (inside(first as i64), 1.0 - share),
        (inside(first as i64 + 1), share),
    ]
}

/// Number of axes along which a sampler filters, and the axis that selects images of an array.
fn filtered_axes(image_type: cl_uint) -> (usize, Option<usize>) {
    match image_type {
        CL_MEM_OBJECT_IMAGE1D => (1, None),
        CL_MEM_OBJECT_IMAGE1D_ARRAY => (1, Some(1)),
        CL_MEM_OBJECT_IMAGE2D => (2, None),
        CL_MEM_OBJECT_IMAGE2D_ARRAY => (2, Some(2)),
        _ => (3, None),
    }
}

fn expected(
    picture: &Picture,
    image_type: cl_uint,
    at: [f32; 4],
    addressing: cl_uint,
    normalised: bool,
    linear: bool,
) -> [f64; 4] {
    let (axes, of_array) = filtered_axes(image_type);
    let weights: [Vec<(Option<usize>, f64)>; 3] = std::array::from_fn(|axis| {
        let (coordinate, size) = (f64::from(at[axis]), picture.extent[axis]);
        if axis < axes {
            along(coordinate, size, addressing, normalised, linear)
        } else if of_array == Some(axis) {
            let nearest = coordinate.round_ties_even().clamp(0.0, size as f64 - 1.0);
            vec![(Some(nearest as usize), 1.0)]
        } else {
            vec![(Some(0), 1.0)]
        }
    });
    let mut sum = [0.0; 4];
    for (x, of_x) in &weights[0] {
        for (y, of_y) in &weights[1] {
            for (z, of_z) in &weights[2] {
                let pixel = picture.at([*x, *y, *z]);
                for (sum, channel) in sum.iter_mut().zip(pixel) {
                    *sum += channel * of_x * of_y * of_z;
                }
            }
        }
    }
    sum
}

/// Coordinates in and around an image. For the nearest filter they avoid the edges of pixels, and
/// array indices avoid values at which their rounding changes.
fn points(
    random: &mut Random,
    image_type: cl_uint,
    extent: [usize; 3],
    addressing: cl_uint,
    normalised: bool,
    linear: bool,
) -> Vec<[f32; 4]> {
    let (axes, _) = filtered_axes(image_type);
    let mut point = || {
        let mut at = [0.0; 4];
        for axis in 0..3 {
            let size = extent[axis] as f32;
            at[axis] = loop {
                // Coordinates stay within the image if the addressing mode does not define others.
                let (low, high) = match addressing {
                    CL_ADDRESS_NONE => (0.6, size - 0.6),
                    _ if axis < axes => (-2.2 * size, 3.2 * size),
                    _ => (-2.0, size + 2.0),
                };
                let coordinate = if low < high {
                    random.float(low, high)
                } else if axis < axes {
                    0.5
                } else {
                    0.0
                };
                let fraction = coordinate - coordinate.floor();
                let clear = if axis < axes {
                    linear || (0.05..0.95).contains(&fraction)
                } else {
                    (fraction - 0.5).abs() > 0.05
                };
                if clear {
                    break coordinate;
                }
            };
            if normalised && axis < axes {
                at[axis] /= size;
            }
        }
        at
    };
    (0..400).map(|_| point()).collect()
}

/// Kernels with samplers as arguments, and for two-dimensional images also as constants.
fn program(session: &Session, filter: &str) -> Result<Program> {
    let mut source = String::new();
    for (image_type, _) in TYPES {
        let (kind, at) = (name(image_type), coordinates(image_type, "float"));
        let body = |sampler: &str| {
            format!(
                "{{\n    const int i = get_global_id(0);\n    \
                 const float x = points[i].x, y = points[i].y, z = points[i].z;\n    \
                 out[i] = read_imagef(image, {sampler}, {at});\n}}\n"
            )
        };
        let parameters =
            format!("read_only {kind} image, global const float4 *points, global float4 *out");
        let _ = write!(
            source,
            "kernel void read_{kind}({parameters}, sampler_t sampler)\n{}",
            body("sampler")
        );
        if image_type != CL_MEM_OBJECT_IMAGE2D {
            continue;
        }
        for (_, addressing, needs_normalised) in ADDRESSING {
            for normalised in ["TRUE", "FALSE"] {
                if normalised == "TRUE" || !needs_normalised {
                    let sampler = format!("{kind}_{addressing}_{normalised}_{filter}");
                    let _ = write!(
                        source,
                        "constant sampler_t s_{sampler} = CLK_NORMALIZED_COORDS_{normalised} | \
                         CLK_ADDRESS_{addressing} | CLK_FILTER_{filter};\n\
                         kernel void {sampler}({parameters})\n{}",
                        body(&format!("s_{sampler}"))
                    );
                }
            }
        }
    }
    session.program(&source, "")
}

/// All addressing modes of a filter, for all types, with both kinds of samplers.
pub fn filtered(session: &Session, filter: cl_uint) -> Result<()> {
    let linear = filter == CL_FILTER_LINEAR;
    let mut random = session.random();
    let named_filter = if linear { "LINEAR" } else { "NEAREST" };
    let program = program(session, named_filter)?;
    for (image_type, extent) in TYPES {
        let count: usize = extent.iter().product();
        let floats = random.floats(4 * count, 0.0, 1.0);
        let picture = Picture {
            extent,
            pixels: floats
                .chunks(4)
                .map(|pixel| std::array::from_fn(|channel| pixel[channel].into()))
                .collect(),
        };
        let image = image(session, FLOATS, image_type, extent)?;
        let mut bytes = bytemuck::cast_slice::<f32, u8>(&floats).to_vec();
        transfer(session, &image, [[0; 3], extent], [0, 0], &mut bytes, true)?;
        for (addressing, named, needs_normalised) in ADDRESSING {
            for normalised in [true, false] {
                if needs_normalised && !normalised {
                    continue;
                }
                let points = points(
                    &mut random,
                    image_type,
                    extent,
                    addressing,
                    normalised,
                    linear,
                );
                let there = session.buffer(&points)?;
                let sampler = session.sampler(normalised, addressing, filter)?;
                let coordinates = if normalised { "TRUE" } else { "FALSE" };
                let kind = name(image_type);
                for by_argument in [true, false] {
                    if !by_argument && image_type != CL_MEM_OBJECT_IMAGE2D {
                        continue;
                    }
                    let out = session.zeros::<[f32; 4]>(points.len())?;
                    let handle = Handle(&image);
                    let mut arguments: Vec<&dyn Argument> = vec![&handle, &there, &out];
                    let kernel = if by_argument {
                        arguments.push(&sampler);
                        program.kernel(&format!("read_{kind}"))?
                    } else {
                        program.kernel(&format!("{kind}_{named}_{coordinates}_{named_filter}"))?
                    };
                    session.run(&kernel, &[points.len()], &[], &arguments)?;
                    for (at, got) in points.iter().zip(session.read(&out)?) {
                        let expected =
                            expected(&picture, image_type, *at, addressing, normalised, linear);
                        // Filters use fractions with at least eight bits.
                        let off = if linear { 4.0 / 256.0 } else { 0.0 };
                        let near = got
                            .iter()
                            .zip(expected)
                            .all(|(got, expected)| (f64::from(*got) - expected).abs() <= off);
                        ensure!(
                            near,
                            "{kind} of {extent:?} pixels at {at:?}, normalised coordinates \
                             {coordinates}, addressing {named}, filter {named_filter}, sampler by \
                             argument {by_argument}: {got:?}, expected {expected:?}"
                        );
                    }
                }
            }
        }
    }
    Ok(())
}

/// A kernel for each type that reads with a sampler, and clamped coordinates without one.
fn integer_source() -> String {
    let mut source = String::new();
    for (image_type, _) in TYPES {
        let (kind, at) = (name(image_type), coordinates(image_type, "int"));
        let _ = write!(
            source,
            "kernel void read_{kind}(read_only {kind} image, global const int4 *points, global int4 *out,\n    \
             global int4 *plain, int4 first, int4 size, sampler_t sampler)\n{{\n    \
             const int i = get_global_id(0);\n    \
             int x = points[i].x, y = points[i].y, z = points[i].z;\n    \
             out[i] = read_imagei(image, sampler, {at});\n    \
             x = clamp(x, 0, size.x - 1), y = clamp(y, 0, size.y - 1), z = clamp(z, 0, size.z - 1);\n    \
             plain[i] = read_imagei(image, {at});\n}}\n"
        );
    }
    source
}

/// Coordinates inside and outside an image.
fn integer_points(random: &mut Random, extent: [usize; 3]) -> Vec<[i32; 4]> {
    (0..300)
        .map(|_| {
            let mut at = [0; 4];
            for (axis, coordinate) in at.iter_mut().take(3).enumerate() {
                let far = random.below(8) == 0;
                let range = if far {
                    1 << 20
                } else {
                    3 * extent[axis] as u32
                };
                *coordinate = random.below(range) as i32 - range as i32 / 3;
            }
            at
        })
        .collect()
}

/// Integer coordinates: with samplers inside and outside, without one inside.
pub fn integer_coordinates(session: &Session) -> Result<()> {
    let mut random = session.random();
    let program = session.program(&integer_source(), "")?;
    let format = (CL_RGBA, CL_SIGNED_INT32);
    for (image_type, extent) in TYPES {
        let count: usize = extent.iter().product();
        let words = random.words(4 * count);
        let image = image(session, format, image_type, extent)?;
        let mut bytes = bytemuck::cast_slice::<u32, u8>(&words).to_vec();
        transfer(session, &image, [[0; 3], extent], [0, 0], &mut bytes, true)?;
        let (axes, _) = filtered_axes(image_type);
        let pixel = |at: [Option<usize>; 3]| -> [i32; 4] {
            let (Some(x), Some(y), Some(z)) = (at[0], at[1], at[2]) else {
                return [0; 4];
            };
            let place = 4 * ((z * extent[1] + y) * extent[0] + x);
            std::array::from_fn(|channel| words[place + channel] as i32)
        };
        for addressing in [CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP] {
            let points = integer_points(&mut random, extent);
            let clamped = |at: [i32; 4], axis: usize| -> Option<usize> {
                usize::try_from(at[axis].clamp(0, extent[axis] as i32 - 1)).ok()
            };
            let plain: Vec<[i32; 4]> = points
                .iter()
                .map(|at| pixel(std::array::from_fn(|axis| clamped(*at, axis))))
                .collect();
            let sampled: Vec<[i32; 4]> = points
                .iter()
                .map(|at| {
                    pixel(std::array::from_fn(|axis| {
                        let outside =
                            usize::try_from(at[axis]).map_or(true, |at| at >= extent[axis]);
                        // Indices outside an array select its first or last image.
                        if outside && axis < axes && addressing == CL_ADDRESS_CLAMP {
                            None
                        } else {
                            clamped(*at, axis)
                        }
                    }))
                })
                .collect();
            let kernel = program.kernel(&format!("read_{}", name(image_type)))?;
            let there = session.buffer(&points)?;
            let (out, without) = (
                session.zeros::<[i32; 4]>(points.len())?,
                session.zeros::<[i32; 4]>(points.len())?,
            );
            let sampler = session.sampler(false, addressing, CL_FILTER_NEAREST)?;
            let size = [extent[0] as i32, extent[1] as i32, extent[2] as i32, 0];
            let arguments: [&dyn Argument; 7] = [
                &Handle(&image),
                &there,
                &out,
                &without,
                &[0i32; 4],
                &size,
                &sampler,
            ];
            session.run(&kernel, &[points.len()], &[], &arguments)?;
            let what = format!("{} with addressing {addressing:#x}", name(image_type));
            equal(&what, &session.read(&out)?, &sampled)
                .with_context(|| format!("points {points:?}"))?;
            let what = format!("{} without sampler", name(image_type));
            equal(&what, &session.read(&without)?, &plain)?;
        }
    }
    Ok(())
}

/// Reads beyond the edge of an image of one pixel, in each format with floating-point colours.
pub fn borders(session: &Session) -> Result<()> {
    let program = session.program(
        "kernel void border(read_only image2d_t image, sampler_t sampler, global float4 *out)\n{\n    \
         const int i = get_global_id(0);\n    \
         out[i] = read_imagef(image, sampler, (float2)(i % 3 - 0.5f, i / 3 - 0.5f));\n}\n",
        "",
    )?;
    let kernel = program.kernel("border")?;
    let sampler = session.sampler(false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST)?;
    for format in supported(session, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D)? {
        let Some(layout) = Layout::new(format, 0) else {
            continue;
        };
        if layout.class().0 != "f" {
            continue;
        }
        let image = image(session, format, CL_MEM_OBJECT_IMAGE2D, [1, 1, 1])?;
        let mut pixel = [0xFFu8; 16];
        transfer(session, &image, [[0; 3], [1; 3]], [0, 0], &mut pixel, true)?;
        let out = session.zeros::<[f32; 4]>(9)?;
        let arguments: [&dyn Argument; 3] = [&Handle(&image), &sampler, &out];
        session.run(&kernel, &[9], &[], &arguments)?;
        let mut got = session.read(&out)?;
        // The fourth result is the pixel in the middle.
        got.remove(4);
        let expected = layout.border().map(|channel| channel as f32);
        equal(
            &format!(
                "colour beyond the edge with channel order {:#x}, channel type {:#x}",
                format.0, format.1
            ),
            &got,
            &[expected; 8],
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::along;
    use cl_sys::*;

    #[test]
    fn coordinates_lead_where_the_specification_says() {
        let nearest = |at, mode| along(at, 4, mode, true, false)[0].0;
        assert_eq!(nearest(1.3, CL_ADDRESS_REPEAT), Some(1));
        assert_eq!(nearest(-0.1, CL_ADDRESS_REPEAT), Some(3));
        assert_eq!(nearest(1.1, CL_ADDRESS_MIRRORED_REPEAT), Some(3));
        assert_eq!(nearest(-0.3, CL_ADDRESS_MIRRORED_REPEAT), Some(1));
        assert_eq!(nearest(1.1, CL_ADDRESS_CLAMP), None);
        assert_eq!(nearest(1.1, CL_ADDRESS_CLAMP_TO_EDGE), Some(3));
        let linear = along(0.25, 4, CL_ADDRESS_CLAMP, false, true);
        assert_eq!(linear, [(None, 0.25), (Some(0), 0.75)]);
        let wrapped = along(0.0, 4, CL_ADDRESS_REPEAT, true, true);
        assert_eq!(wrapped, [(Some(3), 0.5), (Some(0), 0.5)]);
    }
}
