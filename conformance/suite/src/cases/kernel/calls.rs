//! Vectors, structs and pointers that are passed to functions which are not inlined.

use super::element::{self, Element, SHORT, UCHAR, USHORT, WIDTHS};
use super::expressions::{Expected, Expressions, Operand, Output, check_with};
use super::values;
use crate::cases::launch::{Program, word};
use anyhow::Result;
use harness::session::Session;
use std::num::Wrapping;

/// Functions of one type with three vectors and scalars as parameters, and a vector as result.
fn functions(element: Element, width: usize) -> String {
    let name = element.vector(width);
    format!(
        "__attribute__((noinline)) {name} choose_{name}({name} a, int which, {name} b, uchar unused, {name} c)\n\
         {{\n    return which == 0 ? a : which == 1 ? b : c;\n}}\n\
         __attribute__((noinline)) {name} turn_{name}({name} a, int depth)\n\
         {{\n    {name} b = choose_{name}(a, depth & 3, a, 1, a);\n    b.s0 = a.s{last:x};\n    \
         b.s{last:x} = a.s0;\n    return b;\n}}\n",
        last = width - 1,
    )
}

/// Each path through the functions returns the vectors unchanged.
fn through_functions(session: &Session, types: &[(Element, usize)]) -> Result<()> {
    let mut random = session.random();
    let mut source = String::new();
    let mut all = Vec::new();
    for &(element, width) in types {
        source += &functions(element, width);
        let name = element.vector(width);
        let mut steps = Vec::new();
        for which in 0..3 {
            let code = format!("choose_{name}(a, {which}, b, 255, c)");
            let chosen = move |operands: &[u64]| Expected::Bits(operands[which]);
            steps.push(Output::each(code, element, width, chosen).into());
        }
        // The reference does not depend on the work-item, so all values of `which` must select the
        // same vector.
        let same = format!("choose_{name}(c, (int)(item % 3), c, 0, c)");
        let third = move |operands: &[u64]| Expected::Bits(operands[2]);
        steps.push(Output::each(same, element, width, third).into());
        let turned = move |operands: &[&[u64]]| {
            let mut values = operands[0].to_vec();
            values.swap(0, width - 1);
            values.into_iter().map(Expected::Bits).collect::<Vec<_>>()
        };
        steps.push(Output::whole(format!("turn_{name}(a, 1)"), element, width, turned).into());
        let twice = format!("turn_{name}(turn_{name}(a, 1), 3)");
        let back = move |operands: &[u64]| Expected::Bits(operands[0]);
        steps.push(Output::each(twice, element, width, back).into());
        if !element.is_floating() {
            // A builtin between functions of the program.
            let code = format!("max(turn_{name}(a, 1), turn_{name}(min(b, c), 2))");
            let largest = move |operands: &[&[u64]]| {
                let value = |operand: usize, lane: usize| element.value(operands[operand][lane]);
                let place = |lane: usize| match lane {
                    0 => width - 1,
                    lane if lane == width - 1 => 0,
                    lane => lane,
                };
                (0..width)
                    .map(|lane| {
                        let lane = place(lane);
                        let least = value(1, lane).min(value(2, lane));
                        Expected::Bits(element.wrap(value(0, lane).max(least)))
                    })
                    .collect()
            };
            steps.push(Output::whole(code, element, width, largest).into());
        }
        let operands = (0..3).map(|_| {
            let bits = if element.is_floating() {
                values::random(&mut random, element, 32 * width)
            } else {
                values::random_bits(&mut random, element, 32 * width)
            };
            Operand::new(element, width, bits)
        });
        all.push(Expressions {
            operands: operands.collect(),
            steps,
        });
    }
    check_with(session, &source, &all)
}

/// Vectors of 32 bytes and more, of all types.
pub fn wide_vectors(session: &Session) -> Result<()> {
    let mut types = vec![(SHORT, 16), (USHORT, 16)];
    for element in element::all(session)? {
        for width in WIDTHS {
            if width != 3 && width * element.bytes >= 32 && !types.contains(&(element, width)) {
                types.push((element, width));
            }
        }
    }
    through_functions(session, &types)
}

/// Vectors of bytes. Calling conventions pass each width in other registers.
pub fn narrow_vectors(session: &Session) -> Result<()> {
    let widths = WIDTHS.into_iter().skip(1);
    let types: Vec<(Element, usize)> = widths
        .flat_map(|width| [(UCHAR, width), (element::CHAR, width)])
        .chain([(SHORT, 2), (SHORT, 3), (USHORT, 4)])
        .collect();
    through_functions(session, &types)
}

/// Structs of a local array, passed by value and returned.
pub const LOCAL_STRUCTS: Program = Program::new(
    &[3],
    r"typedef struct {
    uchar tag;
    uint words[3];
    ushort small;
    uint2 pair;
} record_type;

__attribute__((noinline)) uint fold(record_type record)
{
    record.words[1] += record.tag;
    return record.words[0] * 3 + record.words[1] * 5 + record.words[2] * 7 + record.small
        + record.pair.x * 11 + record.pair.y * 13;
}

__attribute__((noinline)) record_type next(record_type record, uint by)
{
    record.words[by % 3] ^= by;
    record.pair = record.pair.yx;
    return record;
}

kernel void test(global const uint *input, global uint *result, uint count)
{
    local record_type records[LARGEST_GROUP];
    const size_t here = lane(), size = group_size();
    record_type record = {
        here, {input[place()], here, count}, 60000 + here, (uint2)(input[place()] >> 5, here * 9)
    };
    records[here] = record;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint i = 0; i < count; ++i)
        sum = sum * 31 + fold(next(records[(here + i) % size], i + 1));
    barrier(CLK_LOCAL_MEM_FENCE);
    records[here] = next(records[here], here);
    barrier(CLK_LOCAL_MEM_FENCE);
    result[place()] = sum ^ fold(records[size - 1 - here]);
}
",
    |group| {
        let record = |lane: usize| {
            let input = group.input(lane, 0);
            Record {
                tag: lane as u8,
                words: [input, word(lane), Wrapping(group.count)],
                small: 60_000 + lane as u16,
                pair: [Wrapping(input.0 >> 5), word(lane * 9)],
            }
        };
        group.each(|lane| {
            let sum = (0..group.count as usize).fold(Wrapping(0), |sum, i| {
                let other = record((lane + i) % group.size);
                sum * Wrapping(31) + other.next(i + 1).fold()
            });
            let other = group.size - 1 - lane;
            sum ^ record(other).next(other).fold()
        })
    },
);

/// The struct on the host.
struct Record {
    tag: u8,
    words: [Wrapping<u32>; 3],
    small: u16,
    pair: [Wrapping<u32>; 2],
}

impl Record {
    fn fold(&self) -> Wrapping<u32> {
        let [a, b, c] = self.words;
        let [x, y] = self.pair;
        let tagged = b + Wrapping(self.tag.into());
        a * Wrapping(3)
            + tagged * Wrapping(5)
            + c * Wrapping(7)
            + Wrapping(self.small.into())
            + x * Wrapping(11)
            + y * Wrapping(13)
    }

    fn next(mut self, by: usize) -> Self {
        self.words[by % 3] ^= word(by);
        self.pair.swap(0, 1);
        self
    }
}

/// Comparisons of pointers: equal, different, null, within and behind arrays, in all address
/// spaces.
pub const POINTERS: Program = Program::new(
    &[0],
    r"uint same(global const uint *a, global const uint *b)
{
    return a == b;
}

kernel void test(global const uint *input, global uint *result, uint count)
{
    local uint shared[4];
    uint own[4];
    const size_t here = place();
    global const uint *mine = input + here;
    local uint *in_shared = shared + lane() % 4;
    uint *in_own = own + here % 4;
    uint bits = same(mine, &input[here]);
    bits |= same(mine, input) << 1;
    bits |= (uint)(mine != input + here + 1) << 2;
    bits |= (uint)(mine < input + 3) << 3;
    bits |= (uint)(in_shared == &shared[2]) << 4;
    bits |= (uint)(in_own == &own[1]) << 5;
    bits |= (uint)(mine == 0) << 6;
    bits |= (uint)(&own[4] - in_own) << 7;
    bits |= (uint)(in_shared >= shared + 1) << 10;
    bits |= (uint)((global const uint *)result == input) << 11;
    bits |= (uint)!mine << 12;
    result[here] = bits;
}
",
    |group| {
        group.each(|lane| {
            let here = group.place(lane);
            let bits = [
                (0, true),
                (1, here == 0),
                (2, true),
                (3, here < 3),
                (4, lane % 4 == 2),
                (5, here % 4 == 1),
                (10, lane % 4 >= 1),
            ];
            let bits = bits.iter().filter(|(_, is)| *is).map(|(bit, _)| 1 << bit);
            word(bits.sum::<usize>() | (4 - here % 4) << 7)
        })
    },
);
