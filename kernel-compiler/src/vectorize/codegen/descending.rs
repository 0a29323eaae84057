//! Accesses of adjacent components in descending order while lanes are inactive: whole vectors, reversed.

use super::builder::VectorBuilder;
use crate::ir::Value;
use crate::vectorize::instruction_queries::{accessed_type, pointer_of};

impl VectorBuilder<'_> {
    /// Writes a load of the active lanes.
    pub fn load_descending(&mut self, load: Value, mask: Value) -> Value {
        let lowest = self.address_of_last_lane(load);
        let ty = accessed_type(load).vector(self.lanes());
        let alignment = self.component_alignment(load);
        let mask = self.reverse(mask);
        let reversed = self.ir().masked_load(ty, lowest, alignment, mask);
        self.reverse(reversed)
    }

    /// Writes a store of the active lanes.
    pub fn store_descending(&mut self, store: Value, mask: Value) {
        let lowest = self.address_of_last_lane(store);
        let value = self.vectors_of(store.operand(0))[0];
        let (reversed, mask) = (self.reverse(value), self.reverse(mask));
        self.store_masked(store, reversed, lowest, mask);
    }

    fn reverse(&self, vector: Value) -> Value {
        let order: Vec<u32> = (0..self.lanes()).rev().collect();
        self.ir().shuffle(vector, vector.ty().poison(), &order)
    }

    fn address_of_last_lane(&mut self, access: Value) -> Value {
        let pointer = pointer_of(access);
        let step = self.shape(pointer).step().expect("the stride is known");
        let bytes = step * i64::from(self.lanes() - 1);
        let first = self.scalar(pointer);
        self.ir()
            .offset_each(first, self.ir().i64().constant(bytes as u64))
    }
}
