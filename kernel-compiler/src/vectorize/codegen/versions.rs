//! Two versions of an access: whole vectors where the active lanes allow that, which is known when
//! the access runs, and otherwise each lane's address.

use super::builder::VectorBuilder;
use crate::ir::{Opcode, Value, constant_vector};
use crate::vectorize::instruction_queries::{accessed_type, pointer_of};
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;

impl VectorBuilder<'_> {
    /// Writes an access as `whole` if `condition` holds, or else as `each`. Both give the vectors
    /// that it loads, if any.
    pub fn either_version(
        &mut self,
        condition: Value,
        whole: impl FnOnce(&mut Self) -> Vec<Value>,
        each: impl FnOnce(&mut Self) -> Vec<Value>,
    ) -> Vec<Value> {
        let b = self.ir();
        let (wholes, parts) = (self.new_block("whole"), self.new_block("partial"));
        let after = self.new_block("accessed");
        b.branch_if(condition, wholes, parts);
        b.at_end(wholes);
        let of_whole = whole(self);
        let end_of_whole = b.position();
        b.branch(after);
        b.at_end(parts);
        let of_each = each(self);
        let end_of_each = b.position();
        b.branch(after);
        b.at_end(after);
        let merged = of_whole.into_iter().zip(of_each).map(|(whole, each)| {
            let value = b.phi(whole.ty(), "");
            value.add_incoming(whole, end_of_whole);
            value.add_incoming(each, end_of_each);
            value
        });
        merged.collect()
    }

    /// Writes the forms of an access's operands that either version uses: what is written in one of
    /// them does not dominate later uses.
    pub fn define_operands(&mut self, access: Value) {
        let pointer = pointer_of(access);
        if self.shape(pointer).is_scalar() {
            self.scalar(pointer);
        }
        self.vectors_of(pointer);
        if access.is(Opcode::LLVMStore) {
            self.vectors_of(access.operand(0));
        }
    }

    /// Whether the active lanes access adjacent memory in their order, and the first address if so:
    /// that of lane 0 or, where it is inactive, what it would be.
    pub fn are_consecutive(&mut self, access: Value) -> (Value, Value) {
        let b = self.ir();
        let mut pointers = self.vectors_of(pointer_of(access))[0];
        if self.mask().is_some() {
            // Those of inactive lanes may be poison.
            pointers = b.freeze(pointers);
        }
        let first = b.extract_element(pointers, b.i64().constant(0));
        let bytes = self.plan().layout().stored(accessed_type(access));
        let offsets: Vec<Value> = (0..u64::from(self.lanes()))
            .map(|lane| b.i64().constant(lane * bytes))
            .collect();
        let expected = b.offset_each(first, constant_vector(&offsets));
        let mut fits = b.compare(LLVMIntEQ, pointers, expected);
        if let Some(mask) = self.mask() {
            fits = b.select(mask, fits, self.all_lanes());
        }
        (self.every(fits), first)
    }
}
