//! Reads and writes of every format.

use crate::launch::{Four, address, descriptor, executable, place, run_knowing};
use crate::pixels::{BUFFER, Numbers, number, same, suffix, vector};
use crate::reference::{Coding, Format, Image};
use kernel_compiler::image_argument::KnownArgument;

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

#[test]
fn every_format_is_read_as_section_8_3_says() {
    let program = executable(&by_index(), "");
    let mut numbers = Numbers(0x1234_5678_9abc_def1);
    for format in Format::all() {
        // All values of 16 bits, and random wider ones.
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
    // Around the midpoints between two values of each type.
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
        // NaNs stay NaNs, with any payload.
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
