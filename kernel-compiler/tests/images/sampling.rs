//! Samplers: addressing modes, filters and coordinates.

use crate::launch::{Four, address, descriptor, executable, place, run, run_knowing};
use crate::pixels::{noise, number, suffix, vector};
use crate::reference::{Format, Image, SHAPES};
use kernel_compiler::image_argument::KnownArgument;
use kernel_compiler::image_argument::sampler_bits::*;

/// Each shape with each read function, with a sampler argument.
fn sampling_source() -> String {
    let mut source = String::new();
    for shape in SHAPES {
        let dimensions = shape.axes + usize::from(shape.is_array);
        let (width, swizzle) = match dimensions {
            1 => ("", ".x"),
            2 => ("2", ".xy"),
            _ => ("4", ""),
        };
        for suffix in ["f", "i", "ui"] {
            let (name, vector) = (shape.name, vector(suffix));
            for (kind, element, sampler) in [
                ("float", "float", "s, "),
                ("int", "int", "s, "),
                ("bare", "int", ""),
            ] {
                source.push_str(&format!(
                    "kernel void {name}_{kind}_{suffix}(read_only {name} image, sampler_t s,
                         global const {element}4 *at, global {vector} *out) {{
                         size_t i = get_global_id(0);
                         {element}{width} c = at[i]{swizzle};
                         out[i] = read_image{suffix}(image, {sampler}c);
                     }}\n"
                ));
            }
        }
    }
    source
}

/// A format for each method of reading pixels, with both kinds of border colours.
fn sampled_formats() -> Vec<Format> {
    [
        ("RGBA", "UNORM_INT8"),
        ("RGBA", "FLOAT"),
        ("R", "FLOAT"),
        ("LUMINANCE", "UNORM_INT16"),
        ("INTENSITY", "HALF_FLOAT"),
        ("BGRA", "UNORM_INT8"),
        ("RGB", "UNORM_SHORT_565"),
        ("RG", "SIGNED_INT16"),
        ("RGBA", "UNSIGNED_INT8"),
        ("R", "UNSIGNED_INT32"),
    ]
    .map(|(order, data_type)| Format::named(order, data_type))
    .to_vec()
}

/// Coordinates along an axis, in texels.
fn texels(size: usize) -> Vec<f32> {
    let n = size as f32;
    let mut all = vec![
        -1e30, -1e9, -100.3, -1.5, -1.0, -0.75, -0.5, -1e-7, -0.0, 1e-7, 0.25, 0.5, 1.0, 1.75, 1e9,
        1e30,
    ];
    all.extend([-n, n / 2.0, n - 1.0, n - 0.5, n - 0.25, n.next_down(), n]);
    all.extend([n + 0.25, n + 0.5, n + 1.0, 2.0 * n + 0.3, 3.0 * n - 0.1]);
    all
}

/// All combinations of coordinates along the axes; the layers repeat.
fn coordinates(image: &Image, normalised: bool) -> Vec<Four<f32>> {
    let axis = |axis: usize| -> Vec<f32> {
        if axis >= image.shape.axes {
            return vec![0.0];
        }
        let size = image.size[axis];
        let scale = if normalised { size as f32 } else { 1.0 };
        texels(size).into_iter().map(|t| t / scale).collect()
    };
    let layers = [0.0, 1.0, 2.49, -3.0, 2.5, 3.5, 1e20, 0.51, -1e20];
    let mut all = Vec::new();
    for z in axis(2) {
        for y in axis(1) {
            for x in axis(0) {
                let mut at = [x, y, z, f32::NAN];
                if image.shape.is_array {
                    at[image.shape.axes] = layers[all.len() % layers.len()];
                }
                all.push(Four(at));
            }
        }
    }
    all
}

const ADDRESSING_MODES: &[u64] = &[
    ADDRESS_NONE,
    ADDRESS_CLAMP_TO_EDGE,
    ADDRESS_CLAMP,
    ADDRESS_REPEAT,
    ADDRESS_MIRRORED_REPEAT,
];

/// All samplers that section 6.12.14.1 defines.
fn samplers() -> Vec<u64> {
    let mut all = Vec::new();
    for filter in [FILTER_NEAREST, FILTER_LINEAR] {
        for normalised in [0, NORMALIZED_COORDS] {
            for &addressing in ADDRESSING_MODES {
                let repeats = addressing >= ADDRESS_REPEAT;
                if !repeats || normalised != 0 {
                    all.push(filter | normalised | addressing);
                }
            }
        }
    }
    all
}

fn check_samples(
    image: &Image,
    sampler: u64,
    suffix: &str,
    at: &[Four<f32>],
    got: &[Four<u32>],
    largest: f64,
) {
    let tolerance = if sampler & FILTER_LINEAR == 0 {
        0.0
    } else {
        largest * 1e-6
    };
    for (at, got) in at.iter().zip(got) {
        let got = got.0.map(|bits| number(suffix, bits));
        let right = image.sample(sampler, at.0);
        assert!(
            (0..4).all(|c| (got[c] - right[c]).abs() <= tolerance),
            "{} {} sampler {sampler:#x} at {:?}: {got:?} is not {right:?}",
            image.shape.name,
            image.format.name(),
            at.0
        );
    }
}

fn largest(image: &Image) -> f64 {
    let mut largest = 1f64;
    for slice in 0..image.size[2].max(image.layers) {
        for y in 0..image.size[1] {
            for x in 0..image.size[0] {
                for value in image.format.decode(&image.bytes[image.pixel(x, y, slice)]) {
                    largest = largest.max(value.abs());
                }
            }
        }
    }
    largest
}

#[test]
fn samplers_address_and_filter_as_section_8_2_says() {
    let program = executable(&sampling_source(), "");
    for &shape in SHAPES {
        for format in sampled_formats() {
            let mut image = noise(shape, format);
            let suffix = suffix(format.coding());
            let largest = largest(&image);
            let described = descriptor(&mut image);
            for sampler in samplers() {
                if sampler & FILTER_LINEAR != 0 && suffix != "f" {
                    continue;
                }
                let at = coordinates(&image, sampler & NORMALIZED_COORDS != 0);
                let mut out = vec![Four([0u32; 4]); at.len()];
                let name = format!("{}_float_{suffix}", shape.name);
                let arguments = [
                    (&raw const described) as u64,
                    sampler,
                    address(&at),
                    place(&mut out),
                ];
                run(&program, &name, &arguments, at.len());
                check_samples(&image, sampler, suffix, &at, &out, largest);
                if format == Format::named("RGBA", "UNORM_INT8") {
                    let known = [(&described).into(), KnownArgument::Sampler(sampler)];
                    out.fill(Four([0; 4]));
                    run_knowing(&known, &program, &name, &arguments, at.len());
                    check_samples(&image, sampler, suffix, &at, &out, largest);
                }
            }
        }
    }
}

#[test]
fn samplers_in_the_text_are_as_those_given() {
    let shape = SHAPES[2];
    let mut source = String::new();
    for sampler in samplers() {
        // Declared in the kernel, at program scope, and passed to a function.
        source.push_str(&format!(
            "constant sampler_t program_{sampler} = {sampler};
             float4 read_{sampler}(read_only image2d_t image, sampler_t s, float2 c) {{
                 return read_imagef(image, s, c);
             }}
             kernel void k_{sampler}(read_only image2d_t image, global const float4 *at,
                                     global float4 *out) {{
                 const sampler_t s = {sampler};
                 size_t i = get_global_id(0);
                 if (i % 3 == 0)
                     out[i] = read_imagef(image, s, at[i].xy);
                 else if (i % 3 == 1)
                     out[i] = read_imagef(image, program_{sampler}, at[i].xy);
                 else
                     out[i] = read_{sampler}(image, s, at[i].xy);
             }}\n"
        ));
    }
    for options in ["", "-cl-opt-disable", "-cl-fast-relaxed-math"] {
        let program = executable(&source, options);
        for format in [
            Format::named("RGBA", "UNORM_INT8"),
            Format::named("R", "FLOAT"),
        ] {
            let mut image = noise(shape, format);
            let largest = largest(&image);
            let described = descriptor(&mut image);
            for sampler in samplers() {
                let at = coordinates(&image, sampler & NORMALIZED_COORDS != 0);
                let mut out = vec![Four([0u32; 4]); at.len()];
                let described = (&raw const described) as u64;
                let arguments = [described, address(&at), place(&mut out)];
                run(&program, &format!("k_{sampler}"), &arguments, at.len());
                check_samples(&image, sampler, "f", &at, &out, largest);
            }
        }
    }
}

#[test]
fn integer_coordinates_are_those_of_texels() {
    let program = executable(&sampling_source(), "");
    let along = [i32::MIN, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, i32::MAX];
    for &shape in SHAPES {
        for format in sampled_formats() {
            let mut image = noise(shape, format);
            let suffix = suffix(format.coding());
            let described = descriptor(&mut image);
            let mut at = Vec::new();
            let dimensions = shape.axes + usize::from(shape.is_array);
            for z in along.iter().filter(|z| dimensions > 2 || **z == 0) {
                for y in along.iter().filter(|y| dimensions > 1 || **y == 0) {
                    at.extend(along.map(|x| Four([x, *y, *z, i32::MIN])));
                }
            }
            for (kind, sampler) in [
                ("int", ADDRESS_CLAMP | FILTER_NEAREST),
                ("int", ADDRESS_CLAMP_TO_EDGE | FILTER_NEAREST),
                ("int", ADDRESS_NONE | FILTER_NEAREST),
                ("bare", ADDRESS_NONE | FILTER_NEAREST),
            ] {
                let mut out = vec![Four([0u32; 4]); at.len()];
                let described = (&raw const described) as u64;
                run(
                    &program,
                    &format!("{}_{kind}_{suffix}", shape.name),
                    &[described, sampler, address(&at), place(&mut out)],
                    at.len(),
                );
                for (at, got) in at.iter().zip(&out) {
                    let got = got.0.map(|bits| number(suffix, bits));
                    let right = image.read(sampler, at.0);
                    assert_eq!(got, right, "{} {} {at:?}", shape.name, format.name());
                }
            }
        }
    }
}

/// The results are undefined, but the kernel must end without a fault.
#[test]
fn coordinates_that_are_no_numbers_do_no_harm() {
    let program = executable(&sampling_source(), "");
    let odd = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        -f32::NAN,
        3.4e38,
        -3.4e38,
    ];
    let mut at = Vec::new();
    for x in odd {
        for y in odd {
            at.extend(odd.map(|z| Four([x, y, z, 0.0])));
        }
    }
    for &shape in SHAPES {
        let mut image = noise(shape, Format::named("RGBA", "UNSIGNED_INT8"));
        let described = descriptor(&mut image);
        for sampler in samplers() {
            let mut out = vec![Four([u32::MAX; 4]); at.len()];
            let described = (&raw const described) as u64;
            let arguments = [described, sampler, address(&at), place(&mut out)];
            run(
                &program,
                &format!("{}_float_ui", shape.name),
                &arguments,
                at.len(),
            );
            assert!(out.iter().all(|color| color.0.iter().all(|c| *c < 256)));
        }
    }
}
