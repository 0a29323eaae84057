//! Transposes square blocks of elements in registers, by shuffles that x86 has.

use crate::ir::{Builder, DataLayout, Value};

/// Two or four vectors as rows of square blocks, side by side: transposes each block.
pub fn transpose(vectors: &[Value], layout: DataLayout, builder: &Builder) -> Vec<Value> {
    let (element, length) = vectors[0].ty().vector_elements();
    let count = vectors.len() as u32;
    // Of each block the elements of the pattern, which numbers those of both vectors' blocks.
    let pick = |a: Value, b: Value, pattern: &[u32]| {
        let of_block = |start: u32| {
            let place = move |n: &u32| n % count + start + n / count * length;
            pattern.iter().map(place)
        };
        let blocks = (0..length).step_by(count as usize);
        let elements: Vec<u32> = blocks.flat_map(of_block).collect();
        builder.shuffle(a, b, &elements)
    };
    if let [a, b] = *vectors {
        return vec![pick(a, b, &[0, 2]), pick(a, b, &[1, 3])];
    }
    // x86 interleaves neighbours within 128 bits: halves of four elements, or every other of two.
    let is_narrow = layout.size(element) == 4;
    let (low, high): (&[u32], &[u32]) = match is_narrow {
        true => (&[0, 4, 1, 5], &[2, 6, 3, 7]),
        false => (&[0, 4, 2, 6], &[1, 5, 3, 7]),
    };
    let halves = |pattern: &[u32]| {
        let (a, b) = (
            pick(vectors[0], vectors[1], pattern),
            pick(vectors[2], vectors[3], pattern),
        );
        [pick(a, b, &[0, 1, 4, 5]), pick(a, b, &[2, 3, 6, 7])]
    };
    let ([a, b], [c, d]) = (halves(low), halves(high));
    if is_narrow {
        vec![a, b, c, d]
    } else {
        vec![a, c, b, d]
    }
}
