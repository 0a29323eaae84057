//! Shuffles of vectors: what they take, and how they are written.

use super::builder::NO_NAME;
use super::vector::constant_vector;
use super::{Builder, Opcode, Value};
use llvm_sys::core::*;

impl Value {
    /// Element that a shuffle takes for each of its own, from both operands as one; none
    /// where it does not matter.
    pub fn shuffle_mask(self) -> Vec<Option<usize>> {
        (0..llvm!(LLVMGetNumMaskElements(self.raw())))
            .map(|i| usize::try_from(llvm!(LLVMGetMaskValue(self.raw(), i))).ok())
            .collect()
    }

    /// The element of its first operand that a shuffle takes for all of its own.
    pub fn repeated_element(self) -> Option<u32> {
        if !self.is_instruction() || !self.is(Opcode::LLVMShuffleVector) {
            return None;
        }
        let mask = self.shuffle_mask();
        let element = (*mask.first()?)? as u32;
        let is_of_first = element < self.operand(0).ty().vector_elements().1;
        let is_repeated = mask.iter().all(|from| *from == mask[0]);
        (is_of_first && is_repeated).then_some(element)
    }

    /// Whether a value is a shuffle that takes the first element for all of its own.
    pub fn is_splat(self) -> bool {
        self.repeated_element() == Some(0)
    }
}

impl Builder {
    /// Vectors of equal length one after the other, as one vector.
    pub fn concatenate(&self, parts: &[Value]) -> Value {
        let mut parts = parts.to_vec();
        let (element, length) = parts[0].ty().vector_elements();
        let total = length * parts.len() as u32;
        while !parts.len().is_power_of_two() {
            parts.push(element.vector(length).poison());
        }
        let mut length = length;
        while parts.len() > 1 {
            let order: Vec<u32> = (0..2 * length).collect();
            parts = parts
                .chunks(2)
                .map(|pair| self.shuffle(pair[0], pair[1], &order))
                .collect();
            length *= 2;
        }
        if length == total {
            return parts[0];
        }
        let order: Vec<u32> = (0..total).collect();
        self.shuffle(parts[0], parts[0].ty().poison(), &order)
    }

    /// Vectors of equal length as one: the first elements of all, then the second ones, and so on.
    pub fn interleave(&self, parts: &[Value]) -> Value {
        let [_, _, ..] = parts else {
            return parts[0];
        };
        let (count, length) = (parts.len() as u32, parts[0].ty().vector_elements().1);
        let all = self.concatenate(parts);
        let order: Vec<u32> = (0..length * count)
            .map(|at| at % count * length + at / count)
            .collect();
        self.shuffle(all, all.ty().poison(), &order)
    }

    /// The inverse of `interleave`: `count` vectors.
    pub fn deinterleave(&self, all: Value, count: usize) -> Vec<Value> {
        if count == 1 {
            return vec![all];
        }
        let (count, elements) = (count as u32, all.ty().vector_elements().1);
        let vector = |part: u32| {
            let order: Vec<u32> = (part..elements).step_by(count as usize).collect();
            self.shuffle(all, all.ty().poison(), &order)
        };
        (0..count).map(vector).collect()
    }

    /// Elements of `a` and `b`, as one, by their numbers.
    pub fn shuffle(&self, a: Value, b: Value, elements: &[u32]) -> Value {
        let numbers: Vec<Value> = elements
            .iter()
            .map(|&element| self.i32().constant(u64::from(element)))
            .collect();
        Value::new(llvm!(LLVMBuildShuffleVector(
            self.placed(),
            a.raw(),
            b.raw(),
            constant_vector(&numbers).raw(),
            NO_NAME
        )))
    }

    /// `count` times the same.
    pub fn splat(&self, value: Value, count: u32) -> Value {
        if value.is_constant() && !value.is_constant_expression() && !value.is_global_variable() {
            return value.in_all_elements(count);
        }
        let one = self.insert_element(
            value.ty().vector(count).poison(),
            value,
            self.i64().constant(0),
        );
        self.shuffle(
            one,
            value.ty().vector(count).poison(),
            &vec![0; count as usize],
        )
    }
}
