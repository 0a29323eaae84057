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
        if let Some(mask) = self.mask().filter(|_| spacing.components == 1) {
            // Components next to each other, in descending order.
            let ty = accessed_type(load).vector(lanes);
            let alignment = self.component_alignment(load);
            let mask = self.reverse(mask);
            let reversed = self.ir().masked_load(ty, lowest, alignment, mask);
            return self.reverse(reversed);
        }
        let position = |lane| spacing.position(lane, lanes);
        let places: Vec<u32> = (0..lanes).map(position).collect();
        self.load_window(load, lowest, &places, 1)[0]
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
}
