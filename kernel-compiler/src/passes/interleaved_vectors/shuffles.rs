//! The shuffles that take OpenCL vectors of all lanes apart, and put them together.

use crate::ir::{Opcode, Value};

/// Most components of an OpenCL vector whose shuffles are recognised.
const MOST_COMPONENTS: usize = 4;

/// OpenCL vectors of all lanes, put together of a vector for each component.
pub struct Interleaved {
    pub result: Value,
    /// The components' vectors one after another, two at a time.
    pub concatenations: Vec<Value>,
    pub parts: Vec<Value>,
}

/// What an instruction puts together, if it is such a shuffle.
pub fn interleaved(instruction: Value) -> Option<Interleaved> {
    if !instruction.is(Opcode::LLVMShuffleVector) {
        return None;
    }
    let halves = [instruction.operand(0), instruction.operand(1)];
    let mask = instruction.shuffle_mask();
    if order(&mask, 2) {
        return is_of_length(halves[0], mask.len() / 2).then(|| Interleaved {
            result: instruction,
            concatenations: Vec::new(),
            parts: halves.to_vec(),
        });
    }
    if !order(&mask, MOST_COMPONENTS) || !halves.iter().all(|half| is_concatenation(*half)) {
        return None;
    }
    let parts = halves
        .iter()
        .flat_map(|half| [half.operand(0), half.operand(1)]);
    Some(Interleaved {
        result: instruction,
        concatenations: halves.to_vec(),
        parts: parts.collect(),
    })
}

/// Whether a mask takes an element of each of `count` vectors one after another, and the next ones then.
fn order(mask: &[Option<usize>], count: usize) -> bool {
    let lanes = mask.len() / count;
    mask.len().is_multiple_of(count)
        && lanes > 1
        && (0..)
            .zip(mask)
            .all(|(number, element)| *element == Some(number % count * lanes + number / count))
}

fn is_of_length(vector: Value, elements: usize) -> bool {
    vector.ty().vector_elements().1 as usize == elements
}

/// Whether a value is two vectors one after the other.
fn is_concatenation(value: Value) -> bool {
    if !value.is_instruction() || !value.is(Opcode::LLVMShuffleVector) {
        return false;
    }
    let mask = value.shuffle_mask();
    is_of_length(value.operand(0), mask.len() / 2)
        && (0..)
            .zip(mask)
            .all(|(number, element)| element == Some(number))
}

/// The load of OpenCL vectors whose components are vectors, in their order.
pub fn load_of(parts: &[Value]) -> Option<Value> {
    let count = parts.len();
    let is_shuffle = |part: &Value| part.is_instruction() && part.is(Opcode::LLVMShuffleVector);
    if !parts.iter().all(is_shuffle) {
        return None;
    }
    let load = parts[0].operand(0);
    let lanes = parts[0].ty().vector_elements().1 as usize;
    let is_part = |(number, part): (usize, &Value)| {
        let mut mask = (0..).zip(part.shuffle_mask());
        part.operand(0) == load
            && mask.all(|(lane, element)| element == Some(lane * count + number))
    };
    let is_load =
        load.is_instruction() && load.is(Opcode::LLVMLoad) && is_of_length(load, count * lanes);
    (is_load && parts.iter().enumerate().all(is_part)).then_some(load)
}

/// Whether two values are one, or splats of one element.
pub fn are_same(a: Value, b: Value) -> bool {
    a == b
        || a.repeated_element().is_some_and(|element| {
            b.repeated_element() == Some(element) && a.operand(0) == b.operand(0)
        })
}
