//! Two versions of an access: whole vectors where the active lanes allow that, which is known when
//! the access runs, and otherwise each lane's address.

use super::builder::VectorBuilder;
use super::progression::ProgressionFinder;
use crate::ir::{Opcode, Value, constant_vector};
use crate::vectorize::instruction_queries::{accessed_type, pointer_of};
use llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntSLE, LLVMIntULE};

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
        let bytes = self.plan().layout().stored(accessed_type(access));
        let found = ProgressionFinder::find(self, pointer_of(access));
        if let Some((addresses, condition)) = found
            && u64::try_from(addresses.step) == Ok(bytes)
        {
            return (condition, addresses.first);
        }
        self.lie_apart(access, 1)
    }

    /// Whether the active lanes access one element, and its address.
    pub fn are_same(&mut self, access: Value) -> (Value, Value) {
        self.lie_apart(access, 0)
    }

    /// Whether the active lanes access elements that lie apart by some of them, and the first address if so.
    fn lie_apart(&mut self, access: Value, elements: u64) -> (Value, Value) {
        match self.element_index(access) {
            Some(index) => self.do_indices_lie_apart(access, index, elements),
            None => self.do_addresses_lie_apart(access, elements),
        }
    }

    /// The 32-bit integer that an access's index of an array is extended from, if elements are
    /// accessed whole. It takes half as many registers as the address.
    fn element_index(&self, access: Value) -> Option<ElementIndex> {
        let pointer = pointer_of(access);
        // What other blocks compute is available only if it is used outside of them.
        let is_here = |value: Value| value.is_instruction() && value.block() == access.block();
        if !is_here(pointer)
            || !pointer.is(Opcode::LLVMGetElementPtr)
            || pointer.operands().len() != 2
        {
            return None;
        }
        let layout = self.plan().layout();
        let [base, extended] = [pointer.operand(0), pointer.operand(1)];
        let is_whole = layout.size(pointer.indexed_type()) == layout.stored(accessed_type(access));
        let is_extended = is_here(extended)
            && matches!(extended.opcode(), Opcode::LLVMSExt | Opcode::LLVMZExt)
            && extended.operand(0).ty() == self.ir().i32();
        (is_whole && is_extended && self.shape(base).is_uniform()).then(|| ElementIndex {
            base,
            index: extended.operand(0),
            signed: extended.is(Opcode::LLVMSExt),
        })
    }

    fn do_indices_lie_apart(
        &mut self,
        access: Value,
        element: ElementIndex,
        elements: u64,
    ) -> (Value, Value) {
        let b = self.ir();
        let indices = self.vectors_of(element.index)[0];
        let (indices, first) = self.first_of(indices);
        let lanes = self.lanes();
        let numbers: Vec<Value> = (0..u64::from(lanes))
            .map(|lane| b.i32().constant(lane * elements))
            .collect();
        let expected = b.add(b.splat(first, lanes), constant_vector(&numbers));
        let fits = self.all_fit(indices, expected);
        let (largest, at_most, extension) = if element.signed {
            (i32::MAX as u32, LLVMIntSLE, Opcode::LLVMSExt)
        } else {
            (u32::MAX, LLVMIntULE, Opcode::LLVMZExt)
        };
        let last_first = b
            .i32()
            .constant(u64::from(largest) - u64::from(lanes - 1) * elements);
        let wraps_not = b.compare(at_most, first, last_first);
        let bytes = self.plan().layout().stored(accessed_type(access));
        let base = self.scalar(element.base);
        let first = b.cast(extension, first, b.i64());
        let first = b.offset_each(base, b.multiply(first, b.i64().constant(bytes)));
        (b.and(fits, wraps_not), first)
    }

    fn do_addresses_lie_apart(&mut self, access: Value, elements: u64) -> (Value, Value) {
        let b = self.ir();
        let pointers = self.vectors_of(pointer_of(access))[0];
        let (pointers, first) = self.first_of(pointers);
        let bytes = self.plan().layout().stored(accessed_type(access));
        let offsets: Vec<Value> = (0..u64::from(self.lanes()))
            .map(|lane| b.i64().constant(lane * elements * bytes))
            .collect();
        let expected = b.offset_each(first, constant_vector(&offsets));
        (self.all_fit(pointers, expected), first)
    }

    /// A vector of which no element is poison, and its first one.
    fn first_of(&self, vector: Value) -> (Value, Value) {
        let b = self.ir();
        // Those of inactive lanes may be poison.
        let vector = match self.mask() {
            None => vector,
            Some(_) => b.freeze(vector),
        };
        (vector, b.extract_element(vector, b.i64().constant(0)))
    }

    /// Whether the active lanes have the elements that are expected.
    fn all_fit(&self, vector: Value, expected: Value) -> Value {
        let mut fits = self.ir().compare(LLVMIntEQ, vector, expected);
        if let Some(mask) = self.mask() {
            fits = self.ir().select(mask, fits, self.all_lanes());
        }
        self.every(fits)
    }
}

/// An index of an array, before its extension to 64 bits.
struct ElementIndex {
    base: Value,
    index: Value,
    signed: bool,
}
