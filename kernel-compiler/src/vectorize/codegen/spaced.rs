//! Accesses of single components that lie a few components apart, or in descending order: whole
//! vectors, shuffled.

use super::builder::VectorBuilder;
use crate::ir::{Type, Value};
use crate::vectorize::access::Spacing;
use crate::vectorize::instruction_queries::accessed_type;

impl VectorBuilder<'_> {
    /// Writes a load. Spaced components are loaded one by one while lanes are inactive.
    pub fn load_spaced_or_each(&mut self, load: Value, parts: &[Type], spacing: Spacing) -> Value {
        let Some(mask) = self.mask().filter(|_| spacing.components > 1) else {
            return self.load_spaced(load, spacing);
        };
        self.define_operands(load);
        let every = self.every(mask);
        let whole = |this: &mut Self| vec![this.load_spaced(load, spacing)];
        self.either_version(every, whole, |this| this.gather(load, parts))[0]
    }

    /// Loads whole vectors. No byte is read before the first lane's component, or after the last
    /// one's.
    fn load_spaced(&mut self, load: Value, spacing: Spacing) -> Value {
        let lowest = self.lowest_address(load.operand(0), spacing);
        let lanes = self.lanes();
        let ty = accessed_type(load).vector(lanes);
        let alignment = self.component_alignment(load);
        if let Some(mask) = self.mask().filter(|_| spacing.components == 1) {
            // Components next to each other, in descending order.
            let mask = self.reverse(mask);
            let reversed = self.ir().masked_load(ty, lowest, alignment, mask);
            return self.reverse(reversed);
        }
        let first_of_last = spacing.extent(lanes) - lanes;
        let vectors: Vec<Value> = (0..spacing.components)
            .map(|number| {
                let first = (number * lanes).min(first_of_last);
                let address = self.component_address(load, lowest, first);
                self.ir().load(ty, address, alignment)
            })
            .collect();
        let last = (spacing.components - 1) * lanes;
        let order: Vec<u32> = (0..lanes)
            .map(|lane| match spacing.position(lane, lanes) {
                position if position < last => position,
                position => last + (position - first_of_last),
            })
            .collect();
        let all = self.ir().concatenate(&vectors);
        self.ir().shuffle(all, all.ty().poison(), &order)
    }

    /// Writes a store of components in descending order.
    pub fn store_descending(&mut self, store: Value, spacing: Spacing) {
        let lowest = self.lowest_address(store.operand(1), spacing);
        let value = self.vectors_of(store.operand(0))[0];
        let reversed = self.reverse(value);
        match self.mask() {
            None => {
                let alignment = self.component_alignment(store);
                self.ir().store(reversed, lowest, alignment);
            }
            Some(mask) => {
                let mask = self.reverse(mask);
                self.store_masked(store, reversed, lowest, mask);
            }
        }
    }

    fn reverse(&self, vector: Value) -> Value {
        let order: Vec<u32> = (0..self.lanes()).rev().collect();
        self.ir().shuffle(vector, vector.ty().poison(), &order)
    }

    /// The lowest address of all lanes'.
    fn lowest_address(&mut self, pointer: Value, spacing: Spacing) -> Value {
        let first = self.scalar(pointer);
        if !spacing.descending {
            return first;
        }
        let step = self.shape(pointer).step().expect("the stride is known");
        let bytes = step * i64::from(self.lanes() - 1);
        let bytes = self.ir().i64().constant(bytes as u64);
        self.ir().offset_each(first, bytes)
    }

    fn component_address(&self, access: Value, lowest: Value, number: u32) -> Value {
        let bytes = self.bytes_of_a_component(access) * u64::from(number);
        self.ir()
            .offset_each(lowest, self.ir().i64().constant(bytes))
    }
}
