//! Halves in memory: `vload_half` and `vstore_half` with their kin, which need no
//! extension; `vload`, `vstore`, shuffles and copies of halves, which do.

use crate::ENABLE;
use crate::binary16::{ROUNDINGS, all, around_halves, round, same, value};
use crate::running::{launch, map};

const WIDTHS: [usize; 5] = [2, 3, 4, 8, 16];

/// Halves of work for each work-item; room in memory for vectors of 3 with a gap.
const CHUNK: usize = 16;

/// Where the lanes of a chunk of vectors of `width` lie: `gap` as the `a` functions have it.
fn place(element: usize, width: usize, gap: bool) -> usize {
    if gap && width == 3 {
        element / 3 * 4 + element % 3
    } else {
        element
    }
}

fn suffix(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        width.to_string()
    }
}

fn store_test(element: &str, space: &str, gap: bool, input: &[f64]) {
    const SLOT: usize = 24;
    let letter = if gap { "a" } else { "" };
    let widths = [1, 2, 3, 4, 8, 16];
    let slots = widths.len() * ROUNDINGS.len();
    let mut body = String::new();
    for (w, width) in widths.into_iter().enumerate() {
        for (r, (rounding, _)) in ROUNDINGS.into_iter().enumerate() {
            let load = if width == 1 {
                "x[j]".to_owned()
            } else {
                format!("vload{width}(j, x)")
            };
            let slot = (w * ROUNDINGS.len() + r) * SLOT;
            let count = CHUNK / width;
            let n = suffix(width);
            body.push_str(&format!(
                "for (int j = 0; j < {SLOT}; ++j) bits[j] = 0xbeef;
                 for (int j = 0; j < {count}; ++j)
                     vstore{letter}_half{n}{rounding}({load}, j, ({space} half *)bits);
                 for (int j = 0; j < {SLOT}; ++j) to[{slot} + j] = bits[j];\n"
            ));
        }
    }
    let (inside, place_of_bits) = match space {
        "local" => ("local ushort bits[24] __attribute__((aligned(32)));", ""),
        "private" => ("", "ushort bits[24] __attribute__((aligned(32)));"),
        _ => ("", "global ushort *bits = to + 1440;"),
    };
    let source = format!(
        "kernel void k(global const {element} *in, global ushort *out) {{
            {inside}
            size_t i = get_global_id(0);
            global const {element} *x = in + {CHUNK} * i;
            global ushort *to = out + 1536 * i;
            {place_of_bits}
            {body}
        }}"
    );
    assert!(slots * SLOT <= 1440);
    let chunks = input.len() / CHUNK;
    let results: Vec<u16> = match element {
        "float" => {
            let floats: Vec<f32> = input.iter().map(|x| *x as f32).collect();
            launch(&source, &floats, 1536 * chunks, [chunks, 1])
        }
        _ => launch(&source, input, 1536 * chunks, [chunks, 1]),
    };
    for (chunk, got) in input.chunks_exact(CHUNK).zip(results.chunks_exact(1536)) {
        for (w, width) in widths.into_iter().enumerate() {
            for (r, (rounding, mode)) in ROUNDINGS.into_iter().enumerate() {
                let slot = &got[(w * ROUNDINGS.len() + r) * SLOT..][..SLOT];
                let mut right = [0xbeef; SLOT];
                for (lane, x) in chunk.iter().enumerate().take(CHUNK / width * width) {
                    let x = if element == "float" {
                        f64::from(*x as f32)
                    } else {
                        *x
                    };
                    right[place(lane, width, gap)] = round(x, mode);
                }
                for (at, (got, right)) in slot.iter().zip(right).enumerate() {
                    assert!(
                        same(*got, right),
                        "vstore{letter}_half{width}{rounding} of {element} to {space}: \
                         {got:#x} for {right:#x} at {at} of {chunk:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn stores_round_in_the_given_mode_in_all_widths_and_address_spaces() {
    let mut doubles = around_halves();
    doubles.resize(doubles.len().next_multiple_of(CHUNK), 0.0);
    // Each value is tried in one address space, with and without gaps.
    for (number, space) in ["global", "local", "private"].into_iter().enumerate() {
        let part: Vec<f64> = doubles
            .chunks_exact(CHUNK)
            .skip(number)
            .step_by(3)
            .flatten()
            .copied()
            .collect();
        for element in ["float", "double"] {
            for gap in [false, true] {
                store_test(element, space, gap, &part);
            }
        }
    }
}

#[test]
fn loads_give_every_half_in_all_widths_and_address_spaces() {
    let input = all();
    for space in ["global", "constant", "local", "private"] {
        let mut calls = String::new();
        for (w, width) in [1, 2, 3, 4, 8, 16].into_iter().enumerate() {
            let n = suffix(width);
            for (gap, letter) in [(0, ""), (1, "a")] {
                let to = (2 * w + gap) * 16;
                let store = if width == 1 {
                    format!("to[{to} + j] = vload{letter}_half(j, p);")
                } else {
                    format!("vstore{width}(vload{letter}_half{n}(j, p), j, to + {to});")
                };
                let count = CHUNK / if gap == 1 && width == 3 { 4 } else { width };
                calls.push_str(&format!("for (int j = 0; j < {count}; ++j) {store}\n"));
            }
        }
        let (inside, pointer) = match space {
            "local" => (
                "local ushort bits[16] __attribute__((aligned(32)));",
                "for (int j = 0; j < 16; ++j) bits[j] = in[16 * i + j];
                 local const half *p = (local half *)bits;",
            ),
            "private" => (
                "ushort bits[16] __attribute__((aligned(32)));",
                "for (int j = 0; j < 16; ++j) bits[j] = in[16 * i + j];
                 private const half *p = (private half *)bits;",
            ),
            "constant" => ("", "constant half *p = (constant half *)(in + 16 * i);"),
            _ => (
                "",
                "global const half *p = (global const half *)(in + 16 * i);",
            ),
        };
        let qualifier = if space == "constant" {
            "constant"
        } else {
            "global const"
        };
        let source = format!(
            "kernel void k({qualifier} ushort *in, global float *out) {{
                {inside}
                size_t i = get_global_id(0);
                global float *to = out + 192 * i;
                {pointer}
                {calls}
            }}"
        );
        let results: Vec<f32> = launch(&source, &input, input.len() * 12, [input.len() / 16, 1]);
        for (chunk, got) in input.chunks_exact(16).zip(results.chunks_exact(192)) {
            for (w, width) in [1, 2, 3, 4, 8, 16].into_iter().enumerate() {
                for gap in [false, true] {
                    let vectors = 16 / if gap && width == 3 { 4 } else { width };
                    for lane in 0..vectors * width {
                        let right = value(chunk[place(lane, width, gap)]) as f32;
                        let got = got[(2 * w + usize::from(gap)) * 16 + lane];
                        assert!(
                            got.to_bits() == right.to_bits() || (got.is_nan() && right.is_nan()),
                            "vload_half{width} from {space}: {got:e} for {right:e}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn vectors_of_halves_are_loaded_and_stored_unaligned() {
    for (space, width) in ["global", "local", "private", "global", "local"]
        .into_iter()
        .zip(WIDTHS)
    {
        let inside = if space == "local" {
            "local half place[64];"
        } else {
            ""
        };
        let declared = match space {
            "private" => "half place[64];",
            "global" => "global half *place = out + 64 * i;",
            _ => "",
        };
        let source = format!(
            "{ENABLE}kernel void k(global const half *in, global half *out) {{
                {inside}
                size_t i = get_global_id(0);
                {declared}
                for (int j = 0; j < 64; ++j) place[j] = 1.0h;
                half{width} x = vload{width}(1, in + i * 64 + 1);
                vstore{width}(x, 1, place + 3);
                vstore{width}(vload{width}(1, place + 3) * 2.0h, 0, place);
                for (int j = 0; j < 64; ++j) out[64 * i + j] = place[j];
            }}"
        );
        let input: Vec<u16> = (0..64 * 64).map(|i| 0x3c00 + i % 512).collect();
        let got: Vec<u16> = launch(&source, &input, input.len(), [64, 1]);
        for (input, got) in input.chunks_exact(64).zip(got.chunks_exact(64)) {
            let x = &input[width + 1..][..width];
            let mut right = [0x3c00; 64];
            right[width + 3..][..width].copy_from_slice(x);
            for (to, x) in right.iter_mut().zip(x) {
                // Twice as much: the exponent is one more.
                *to = x + 0x400;
            }
            assert_eq!(got, right, "{space} {width}");
        }
    }
}

#[test]
fn halves_are_shuffled_and_their_bits_reinterpreted() {
    let input: Vec<[u16; 16]> = (0..64u16)
        .map(|i| std::array::from_fn(|j| 0x3c00 + 16 * i + j as u16))
        .collect();
    let source = format!(
        "{ENABLE}kernel void k(global const half16 *in, global half16 *out) {{
            size_t i = get_global_id(0);
            half16 x = in[i];
            half4 four = shuffle(x, (ushort4)(15, 3, 17, 0));
            half8 eight = shuffle2(x.lo, x.hi, (ushort8)(0, 9, 2, 11, 4, 13, 6, 31));
            half2 two = as_half2(as_int(x.s45));
            x.even = x.odd;
            out[i] = (half16)(four, eight, two.y, x.s2, as_half(as_short(x.hi.s1)), x.lo.hi.s3);
        }}"
    );
    for (x, got) in input.iter().zip(map::<_, [u16; 16]>(&source, &input)) {
        let right = [15, 3, 1, 0, 0, 9, 2, 11, 4, 13, 6, 15, 5, 3, 9, 7].map(|i| x[i]);
        assert_eq!(got, right);
    }
}

#[test]
fn halves_are_copied_by_dma() {
    let source = format!(
        "{ENABLE}kernel void k(global const half *in, global half *out) {{
            local half tile[64];
            local half4 fours[16];
            prefetch(in, 64);
            event_t event = async_work_group_strided_copy(tile, in + get_group_id(0), 64, 4, 0);
            event = async_work_group_copy(fours, (global const half4 *)in, 16, event);
            wait_group_events(1, &event);
            tile[get_local_id(0)] += fours[get_local_id(0) / 4].s0;
            barrier(CLK_LOCAL_MEM_FENCE);
            event = async_work_group_copy(out + get_group_id(0) * 64, tile, 64, 0);
            wait_group_events(1, &event);
        }}"
    );
    let input: Vec<u16> = (0..256u16)
        .map(|i| round(f64::from(i), crate::binary16::Rounding::TowardsZero))
        .collect();
    let got: Vec<u16> = launch(&source, &input, 256, [256, 64]);
    for (i, got) in got.into_iter().enumerate() {
        let (group, item) = (i / 64, i % 64);
        let right = (4 * item + group + item / 4 * 4) as f64;
        assert_eq!(value(got), right, "element {i}");
    }
}
