//! The representation of types: sizes, reinterpretation, and `shuffle`.

use super::element::{self, Element, WIDTHS};
use super::expressions::{Expected, Expressions, Operand, Output, check};
use super::values;
use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::Session;

/// The bytes of elements in memory.
fn bytes(element: Element, values: &[u64]) -> Vec<u8> {
    let bytes = values
        .iter()
        .flat_map(|value| value.to_le_bytes()[..element.bytes].to_vec());
    bytes.collect()
}

/// The elements with these bytes in memory. Elements beyond the bytes are unspecified.
fn elements(element: Element, width: usize, bytes: &[u8]) -> Vec<Expected> {
    let mut elements: Vec<Expected> = bytes
        .chunks_exact(element.bytes)
        .map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            Expected::Bits(u64::from_le_bytes(word))
        })
        .collect();
    elements.resize(width, Expected::Open);
    elements
}

/// `as_type` between all types of the same size, of variables and constants. All bits are kept,
/// also those of NaNs.
pub fn as_type(session: &Session) -> Result<()> {
    let mut random = session.random();
    let types = element::all(session)?;
    let mut all = Vec::new();
    for &from in &types {
        for width in WIDTHS {
            let mut steps = Vec::new();
            for &to in &types {
                for to_width in WIDTHS {
                    // A vector of three components has the size of one of four.
                    let room = |element: Element, width: usize| {
                        element.bytes * if width == 3 { 4 } else { width }
                    };
                    let threes = [width == 3, to_width == 3];
                    let three_of_four = !threes[0] && threes[1] && width == 4;
                    let fits = room(from, width) == room(to, to_width)
                        && (threes[0] == threes[1] && (!threes[0] || from.bytes == to.bytes)
                            || three_of_four && from.bytes == to.bytes);
                    if !fits {
                        continue;
                    }
                    let code = format!("as_{}(a)", to.vector(to_width));
                    let view = move |operands: &[&[u64]]| {
                        elements(to, to_width, &bytes(from, operands[0]))
                    };
                    steps.push(Output::whole(code, to, to_width, view).into());
                    // A constant, which compilers fold.
                    if from.is_floating() && to.bytes == from.bytes {
                        let code = format!(
                            "as_{}(({})(-1.5f))",
                            to.vector(to_width),
                            from.vector(width)
                        );
                        let bits = from.nearest(-1.5).expect("it is a number");
                        let view = move |_: &[u64]| Expected::Bits(bits);
                        steps.push(Output::each(code, to, to_width, view).into());
                    }
                }
            }
            let mut bits = values::borders(from);
            bits.extend(values::random_bits(&mut random, from, 200));
            if from.is_floating() {
                // Signalling NaNs.
                let infinity = from.infinity(false);
                bits.extend([infinity | 1, infinity | from.sign() | 1]);
            }
            values::shuffle(&mut random, &mut bits);
            all.push(Expressions {
                operands: vec![Operand::new(from, width, bits)],
                steps,
            });
        }
    }
    check(session, &all)
}

/// Sizes of all scalar and vector types, of variables and of arrays.
pub fn sizes(session: &Session) -> Result<()> {
    let types = element::all(session)?;
    let mut statements = String::new();
    let mut expected = Vec::new();
    for element in &types {
        for width in WIDTHS {
            let name = element.vector(width);
            let size = element.bytes * if width == 3 { 4 } else { width };
            for (code, size) in [
                (format!("sizeof({name})"), size),
                (format!("sizeof(({name})(0))"), size),
                (format!("sizeof({name}[5])"), 5 * size),
                (
                    format!("sizeof(struct {{ uchar first; {name} second; }})"),
                    2 * size,
                ),
                (
                    format!("vec_step({name})"),
                    if width == 3 { 4 } else { width },
                ),
            ] {
                statements += &format!("    *sizes++ = {code};\n");
                expected.push(size as u32);
            }
        }
    }
    let address = session.device.address_bits()? / 8;
    for name in [
        "size_t",
        "ptrdiff_t",
        "intptr_t",
        "uintptr_t",
        "global int *",
    ] {
        statements += &format!("    *sizes++ = sizeof({name});\n");
        expected.push(address);
    }
    for (code, size) in [
        ("sizeof(1.0f)", 4),
        ("sizeof('a')", 4),
        ("sizeof(1L)", 8),
        ("sizeof(sizeof(int))", address),
        ("sizeof(void *)", address),
    ] {
        statements += &format!("    *sizes++ = {code};\n");
        expected.push(size);
    }
    let source = format!(
        "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n\
         #ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n\n\
         kernel void test(global uint *sizes)\n{{\n{statements}}}\n"
    );
    let sizes = session.buffer(&vec![u32::MAX; expected.len()])?;
    let kernel = session.program(&source, "")?.kernel("test")?;
    session.run(&kernel, &[1], &[1], &[&sizes])?;
    equal("sizes", &session.read(&sizes)?, &expected)
}

/// Selects elements by the low bits of a mask's elements.
fn shuffled(width: usize, sources: &[&[u64]], mask: &[u64]) -> Vec<Expected> {
    let all = sources.concat();
    mask.iter()
        .take(width)
        .map(|&index| Expected::Bits(all[index as usize % all.len()]))
        .collect()
}

/// `shuffle` and `shuffle2` between all widths, with masks from memory, whose high bits are
/// ignored, and with constant masks.
pub fn shuffles(session: &Session, element: Element) -> Result<()> {
    let mut random = session.random();
    let widths = [2, 4, 8, 16];
    let index = element.unsigned();
    let mut all = Vec::new();
    for from in widths {
        for to in widths {
            let mask_type = index.vector(to);
            let mut steps = vec![
                Output::whole("shuffle(a, c)", element, to, move |operands| {
                    shuffled(to, &operands[..1], operands[2])
                })
                .into(),
                Output::whole("shuffle2(a, b, c)", element, to, move |operands| {
                    shuffled(to, &operands[..2], operands[2])
                })
                .into(),
            ];
            for kind in [Mask::Random, Mask::Reversed, Mask::High] {
                for sources in [1, 2] {
                    let mask = kind.mask(&mut random, index, sources * from, to);
                    let literals: Vec<String> = mask.iter().map(u64::to_string).collect();
                    let function = ["shuffle(a", "shuffle2(a, b"][sources - 1];
                    let code = format!("{function}, ({mask_type})({}))", literals.join(", "));
                    let expected =
                        move |operands: &[&[u64]]| shuffled(to, &operands[..sources], &mask);
                    steps.push(Output::whole(code, element, to, expected).into());
                }
            }
            let operands =
                [(element, from), (element, from), (index, to)].map(|(element, width)| {
                    let bits = values::random_bits(&mut random, element, 48 * width);
                    Operand::new(element, width, bits)
                });
            let operands = operands.into();
            all.push(Expressions { operands, steps });
        }
    }
    check(session, &all)
}

/// Constant masks.
#[derive(Clone, Copy)]
enum Mask {
    Random,
    /// The elements in reverse order.
    Reversed,
    /// A mask with high bits, which are ignored.
    High,
}

impl Mask {
    fn mask(self, random: &mut Random, index: Element, elements: usize, width: usize) -> Vec<u64> {
        let place = |lane: usize| match self {
            Self::Random => u64::from(random.below(elements as u32)),
            Self::Reversed => (elements - 1 - lane % elements) as u64,
            Self::High => random.bits() & index.mask() >> 1 | 32,
        };
        (0..width).map(place).collect()
    }
}
