//! The image functions against a reference that is written from the specification's
//! words, on images with descriptors made by hand.

mod misuse;
mod reference;

use host_exec::work_group::{NdRange, WorkGroupContext};
use kernel_compiler::executable::{Executable, Specialisation};
use kernel_compiler::image_argument::sampler_bits::*;
use kernel_compiler::image_argument::{ImageDescriptor, KnownArgument};
use kernel_compiler::options::{BuildCall, BuildOptions};
use reference::{Coding, Format, Image, SHAPES, Shape};

fn executable(source: &str, options: &str) -> std::sync::Arc<Executable> {
    let options = BuildOptions::parse(options, BuildCall::Build).unwrap();
    let unit = kernel_compiler::compile(source, &options, &[])
        .unwrap_or_else(|failure| panic!("{failure}"));
    Executable::link(&[&unit]).unwrap_or_else(|failure| panic!("{failure}"))
}

#[repr(align(128))]
#[derive(Clone)]
struct Line([u8; 128]);

/// Runs a kernel for `count` work-items, in groups of 32 and one smaller group. Each
/// argument takes 8 bytes.
fn run(program: &Executable, kernel: &str, arguments: &[u64], count: usize) {
    run_knowing(&[], program, kernel, arguments, count);
}

/// The same in code that is made for formats and samplers.
fn run_knowing(
    known: &[KnownArgument],
    program: &Executable,
    kernel: &str,
    arguments: &[u64],
    count: usize,
) {
    let number = program
        .kernels()
        .iter()
        .position(|known| known.name == kernel)
        .unwrap();
    let specialisation = Specialisation {
        local_size: None,
        small_launch: true,
        images: known.to_vec(),
        timed: None,
        checked: false,
    };
    let code = program
        .work_group_code(number, program.normalise(number, specialisation))
        .unwrap_or_else(|failure| panic!("{failure}"));
    let mut block = Line([0; 128]);
    for (place, argument) in block.0.chunks_exact_mut(8).zip(arguments) {
        place.copy_from_slice(&argument.to_ne_bytes());
    }
    const GROUP: u64 = 32;
    let mut private = vec![Line([0; 128]); code.private_bytes(GROUP) as usize / 128 + 1];
    let count = count as u64;
    for (first, size) in [(0, GROUP), (count / GROUP * GROUP, count % GROUP)] {
        let groups = if first == 0 && size == GROUP {
            count / GROUP
        } else {
            u64::from(size != 0)
        };
        for group in 0..groups {
            let nd_range = NdRange {
                work_dimensions: 1,
                global_offset: [first, 0, 0],
                global_size: [groups * size, 1, 1],
                local_size: [size, 1, 1],
                group_count: [groups, 1, 1],
            };
            let context = WorkGroupContext {
                nd_range,
                group_id: [group, 0, 0],
                local_memory: private.as_mut_ptr().cast(),
                private_memory: private.as_mut_ptr().cast(),
                counters: std::ptr::null_mut(),
                recorder: std::ptr::null_mut(),
            };
            // SAFETY: the block has a slot for each argument as the kernel's interface
            // says, and the kernel uses no local memory.
            unsafe { (code.function)(block.0.as_ptr(), &context) };
        }
    }
}

fn descriptor(image: &mut Image) -> ImageDescriptor {
    ImageDescriptor {
        data: image.bytes.as_mut_ptr(),
        width: image.size[0] as u32,
        height: image.size[1] as u32,
        depth: image.size[2] as u32,
        array_size: image.layers as u32,
        row_pitch: image.row_pitch as u64,
        slice_pitch: image.slice_pitch as u64,
        channel_order: image.format.order,
        channel_data_type: image.format.data_type,
        element_size: image.format.size() as u32,
        reserved: 0,
    }
}

/// Vectors of four, aligned as OpenCL's.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Four<T>([T; 4]);

fn address<T>(elements: &[T]) -> u64 {
    elements.as_ptr().expose_provenance() as u64
}

/// Where a kernel writes.
fn place<T>(elements: &mut [T]) -> u64 {
    elements.as_mut_ptr().expose_provenance() as u64
}

/// Numbers without order.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// f, i or ui: the function that reads and writes images of this coding.
fn suffix(coding: Coding) -> &'static str {
    match coding {
        Coding::Signed => "i",
        Coding::Unsigned => "ui",
        _ => "f",
    }
}

fn vector(suffix: &str) -> &'static str {
    match suffix {
        "i" => "int4",
        "ui" => "uint4",
        _ => "float4",
    }
}

/// The bits that a read left, as numbers.
fn number(suffix: &str, bits: u32) -> f64 {
    match suffix {
        "i" => f64::from(bits as i32),
        "ui" => f64::from(bits),
        _ => f64::from(f32::from_bits(bits)),
    }
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

/// One-dimensional images of buffers, by index.
const BY_INDEX: &str = "
    #define READ(S, V) kernel void read_##S(read_only image1d_buffer_t image, global V *out) {
        size_t i = get_global_id(0);
        out[i] = read_image##S(image, (int)i);
    }
    #define WRITE(S, V) kernel void write_##S(write_only image1d_buffer_t image, global const V *in) {
        size_t i = get_global_id(0);
        write_image##S(image, (int)i, in[i]);
    }";

fn by_index() -> String {
    let mut source = BY_INDEX.replace("{\n", "{ \\\n").replace(";\n", "; \\\n");
    for suffix in ["f", "i", "ui"] {
        let vector = vector(suffix);
        source.push_str(&format!(
            "\nREAD({suffix}, {vector})\nWRITE({suffix}, {vector})\n"
        ));
    }
    source
}

const BUFFER: Shape = Shape {
    name: "image1d_buffer_t",
    axes: 1,
    is_array: false,
};

#[test]
fn every_format_is_read_as_section_8_3_says() {
    let program = executable(&by_index(), "");
    let mut numbers = Numbers(0x1234_5678_9abc_def1);
    for format in Format::all() {
        // All values of 16 bits, and the wider ones at random.
        let count = 1 << 16;
        let mut image = Image::new(BUFFER, format, [count, 1, 1], 1);
        for i in 0..count {
            let pixel = image.pixel(i, 0, 0);
            let random = u128::from(numbers.next()) << 64 | u128::from(numbers.next());
            let bits = if format.size() <= 2 {
                i as u128
            } else {
                random & !0xffff | i as u128
            };
            image.bytes[pixel.clone()].copy_from_slice(&bits.to_le_bytes()[..pixel.len()]);
        }
        let suffix = suffix(format.coding());
        let described = descriptor(&mut image);
        for known in [vec![], vec![KnownArgument::from(&described)]] {
            let mut out = vec![Four([0u32; 4]); count];
            run_knowing(
                &known,
                &program,
                &format!("read_{suffix}"),
                &[(&raw const described) as u64, place(&mut out)],
                count,
            );
            for (i, got) in out.iter().enumerate() {
                let pixel = &image.bytes[image.pixel(i, 0, 0)];
                let right = format.decode(pixel);
                let got = got.0.map(|bits| number(suffix, bits));
                assert!(
                    (0..4).all(|c| same(got[c], right[c])),
                    "{} {pixel:x?}: {got:?} is not {right:?}",
                    format.name()
                );
            }
        }
    }
}

#[test]
fn every_format_is_written_as_section_8_3_says() {
    let program = executable(&by_index(), "");
    let mut values = vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.0,
        -2.0,
        1e-40,
        65504.0,
        65519.0,
        65520.0,
        1e10,
        -1e10,
        1e38,
        -1e38,
        6e-8,
        2.9e-8,
        3e-8,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MIN_POSITIVE,
    ];
    // About the middle between two values of each type.
    for most in [31, 63, 127, 255, 1023, 32767, 65535] {
        for i in [
            0, 1, 2, 7, 30, 31, 62, 63, 126, 127, 128, 253, 254, 255, 1022, 30001, 65534,
        ] {
            let middle = (i as f32 + 0.5) / most as f32;
            values.extend([middle, middle.next_up(), middle.next_down(), -middle]);
        }
    }
    let mut numbers = Numbers(0x9876_5432_1234_5679);
    values.extend((0..1000).map(|_| f32::from_bits(numbers.next() as u32)));
    values.extend((0..1000).map(|_| numbers.next() as u16 as f32 / 60000.0));
    let mut integers: Vec<u32> = vec![
        0,
        1,
        126,
        127,
        128,
        129,
        255,
        256,
        32767,
        32768,
        65535,
        65536,
        0x7fff_ffff,
        0x8000_0000,
        u32::MAX,
        -127i32 as u32,
        -128i32 as u32,
        -129i32 as u32,
        -32768i32 as u32,
        -32769i32 as u32,
    ];
    integers.extend((0..1000).map(|_| numbers.next() as u32));
    for format in Format::all() {
        let suffix = suffix(format.coding());
        let bits: Vec<u32> = if suffix == "f" {
            values.iter().map(|value| value.to_bits()).collect()
        } else {
            integers.clone()
        };
        let count = bits.len();
        let input: Vec<Four<u32>> = (0..count)
            .map(|i| Four([0, 1, 3, 7].map(|step| bits[(i + step) % count])))
            .collect();
        let mut image = Image::new(BUFFER, format, [count, 1, 1], 1);
        let described = descriptor(&mut image);
        for known in [vec![], vec![KnownArgument::from(&described)]] {
            image.bytes.fill(0xa5);
            let described = descriptor(&mut image);
            run_knowing(
                &known,
                &program,
                &format!("write_{suffix}"),
                &[(&raw const described) as u64, address(&input)],
                count,
            );
            for (i, color) in input.iter().enumerate() {
                check_written(format, color.0, &image.bytes[image.pixel(i, 0, 0)]);
            }
            let end = image.pixel(count - 1, 0, 0).end;
            assert!(image.bytes[end..].iter().all(|byte| *byte == 0xa5));
        }
    }
}

fn check_written(format: Format, color: [u32; 4], got: &[u8]) {
    let right = match suffix(format.coding()) {
        "f" => format.encode_float(color.map(f32::from_bits)),
        "i" => format.encode_integer(color.map(|bits| i64::from(bits as i32))),
        _ => format.encode_integer(color.map(i64::from)),
    };
    if format.coding() == Coding::Float {
        // NaNs stay NaNs; which ones is not said.
        let (got, right) = (format.decode(got), format.decode(&right));
        assert!(
            (0..4).all(|c| same(got[c], right[c])),
            "{} {color:?}: {got:?} is not {right:?}",
            format.name()
        );
    } else {
        assert_eq!(got, right, "{} {color:x?}", format.name());
    }
}

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

/// A format for each kind of reading, with border colours of both sorts.
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

fn noise(shape: Shape, format: Format) -> Image {
    let mut size = [1; 3];
    size[..shape.axes].copy_from_slice(&[7, 5, 3][..shape.axes]);
    let mut image = Image::new(shape, format, size, if shape.is_array { 4 } else { 1 });
    let mut numbers = Numbers(0x0bad_cafe_0000_0001 + u64::from(format.data_type));
    if format.data_type == 0x10de {
        // What is no pixel is a NaN.
        image.bytes.fill(0xff);
    } else {
        for byte in &mut image.bytes {
            *byte = numbers.next() as u8;
        }
    }
    if format.coding() == Coding::Float {
        for slice in 0..size[2].max(image.layers) {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    let mut color = || (numbers.next() % 2001) as f32 / 8.0 - 125.0;
                    let color = [color(), color(), color(), color()];
                    let pixel = image.pixel(x, y, slice);
                    image.bytes[pixel].copy_from_slice(&format.encode_float(color));
                }
            }
        }
    }
    image
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

/// All combinations along the axes; layers one after another.
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

/// All samplers that section 6.12.14.1 gives a meaning.
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
        // In the kernel, in the program's scope, and handed on to a function.
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

#[test]
fn a_kernel_may_read_more_often_than_is_inlined() {
    let reads: String = (0..250)
        .map(|n| {
            format!(
                "sum += read_imageui(image, (int2)({}, {}));\n",
                n % 7,
                n % 5
            )
        })
        .collect();
    let source = format!(
        "kernel void k(read_only image2d_t image, global uint4 *out) {{
             uint4 sum = 0;
             {reads}
             out[get_global_id(0)] = sum;
         }}"
    );
    let program = executable(&source, "");
    let mut image = noise(SHAPES[2], Format::named("RGBA", "UNSIGNED_INT8"));
    let mut right = [0.0; 4];
    for n in 0..250 {
        let color = image.read(ADDRESS_NONE, [n % 7, n % 5, 0, 0]);
        right = [0, 1, 2, 3].map(|c| right[c] + color[c]);
    }
    let described = descriptor(&mut image);
    for known in [vec![], vec![KnownArgument::from(&described)]] {
        let mut out = vec![Four([0u32; 4]); 32];
        let arguments = [(&raw const described) as u64, place(&mut out)];
        run_knowing(&known, &program, "k", &arguments, out.len());
        assert!(out.iter().all(|sum| sum.0.map(f64::from) == right));
    }
}

/// What they give is undefined; that they give anything is not.
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

#[test]
fn pixels_are_written_where_they_belong_and_nowhere_else() {
    for &shape in SHAPES {
        let (width, swizzle) = match shape.axes + usize::from(shape.is_array) {
            1 => ("", ".x"),
            2 => ("2", ".xy"),
            _ => ("4", ""),
        };
        let name = shape.name;
        let source = format!(
            "kernel void k(write_only {name} image, global const int4 *at, global const uint4 *in) {{
                 size_t i = get_global_id(0);
                 int{width} c = at[i]{swizzle};
                 write_imageui(image, c, in[i]);
             }}"
        );
        let program = executable(&source, "");
        for format in ["R", "RGBA"].map(|order| Format::named(order, "UNSIGNED_INT16")) {
            let mut image = noise(shape, format);
            let mut right = image.bytes.clone();
            let dimensions = shape.axes + usize::from(shape.is_array);
            let mut limits = [1; 3];
            limits[..shape.axes].copy_from_slice(&image.size[..shape.axes]);
            if shape.is_array {
                limits[shape.axes] = image.layers;
            }
            let range = |axis: usize| {
                let limit = limits[axis] as i32;
                let outside = if axis < dimensions { 1 } else { 0 };
                (-outside..limit + outside).chain((axis < dimensions).then_some(i32::MIN))
            };
            let (mut at, mut input) = (Vec::new(), Vec::new());
            for z in range(2) {
                for y in range(1) {
                    for x in range(0) {
                        let color = [x, y, z, 9].map(|c| c as u32 & 0xfff);
                        at.push(Four([x, y, z, -1]));
                        input.push(Four(color));
                        let all = [x, y, z];
                        if (0..3).all(|a| (0..limits[a] as i32).contains(&all[a])) {
                            let (y, slice) = match (shape.axes, shape.is_array) {
                                (1, true) => (0, y),
                                _ => (y, z),
                            };
                            let pixel = image.pixel(x as usize, y as usize, slice as usize);
                            right[pixel]
                                .copy_from_slice(&format.encode_integer(color.map(i64::from)));
                        }
                    }
                }
            }
            let described = descriptor(&mut image);
            let described = (&raw const described) as u64;
            run(
                &program,
                "k",
                &[described, address(&at), address(&input)],
                at.len(),
            );
            assert!(image.bytes == right, "{name} {}", format.name());
        }
    }
}

#[test]
fn images_tell_what_they_are() {
    for &shape in SHAPES.iter().chain(&[BUFFER]) {
        for access in ["read_only", "write_only"] {
            let name = shape.name;
            let mut values = vec![
                "get_image_width(i)",
                "get_image_channel_data_type(i)",
                "get_image_channel_order(i)",
            ];
            let mut right = vec![7, 0x10de, 0x10b5];
            if shape.axes > 1 {
                values.extend([
                    "get_image_height(i)",
                    "get_image_dim(i).x",
                    "get_image_dim(i).y",
                ]);
                right.extend([5, 7, 5]);
            }
            if shape.axes > 2 {
                values.extend([
                    "get_image_depth(i)",
                    "get_image_dim(i).z",
                    "get_image_dim(i).w",
                ]);
                right.extend([3, 3, 0]);
            }
            if shape.is_array {
                values.push("(int)get_image_array_size(i)");
                right.push(4);
            }
            let stores: String = values
                .iter()
                .enumerate()
                .map(|(place, value)| format!("out[{place}] = {value};"))
                .collect();
            let source =
                format!("kernel void k({access} {name} i, global int *out) {{ {stores} }}");
            let program = executable(&source, "");
            let mut image = noise(shape, Format::named("RGBA", "FLOAT"));
            let described = descriptor(&mut image);
            let mut out = vec![-1; right.len()];
            run(
                &program,
                "k",
                &[(&raw const described) as u64, place(&mut out)],
                1,
            );
            assert_eq!(out, right, "{name}");
        }
    }
}
