//! Reads and writes in all shapes of images, and queries.

use crate::launch::{Four, address, descriptor, executable, place, run, run_knowing};
use crate::pixels::{BUFFER, noise};
use crate::reference::{Format, SHAPES};
use kernel_compiler::image_argument::KnownArgument;
use kernel_compiler::image_argument::sampler_bits::ADDRESS_NONE;

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
fn queries_return_the_size_type_and_order() {
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
