//! Shuffles between the vectors of components and the order of components in memory, work-item
//! after work-item.

use super::builder::VectorBuilder;
use crate::ir::Value;

impl VectorBuilder<'_> {
    /// Interleaves the components' vectors: one vector in the order of memory.
    pub fn interleave(&self, parts: &[Value]) -> Value {
        let lanes = self.lanes();
        let count = parts.len() as u32;
        if count == 1 {
            return parts[0];
        }
        let all = self.ir().concatenate(parts);
        let order: Vec<u32> = (0..lanes * count)
            .map(|at| at % count * lanes + at / count)
            .collect();
        self.ir().shuffle(all, all.ty().poison(), &order)
    }

    /// The inverse of `interleave`: the vectors of `count` components.
    pub fn deinterleave(&self, all: Value, count: usize) -> Vec<Value> {
        if count == 1 {
            return vec![all];
        }
        let vector = |part: usize| {
            let elements = (0..self.lanes()).map(|lane| lane * count as u32 + part as u32);
            let order: Vec<u32> = elements.collect();
            self.ir().shuffle(all, all.ty().poison(), &order)
        };
        (0..count).map(vector).collect()
    }
}
