//! What debuggers see of a work-group function: the kernel's variables, wherever formation has put
//! them, and a variable `mocl3` that identifies the work-item.

use super::emitter::{DebugVariables, Emitter, PerItem};
use crate::ir::{Field, Opcode, Value, VariableAddress};

const fn numbers(name: &'static str, count: u64) -> Field {
    Field {
        name,
        count,
        is_pointer: false,
    }
}

const fn pointer(name: &'static str) -> Field {
    Field {
        name,
        count: 1,
        is_pointer: true,
    }
}

/// The structure, named as OpenCL C's queries are. Its first two fields are each work-item's own.
const FIELDS: &[Field] = &[
    numbers("global_id", 3),
    numbers("local_id", 3),
    numbers("group_id", 3),
    numbers("global_size", 3),
    numbers("local_size", 3),
    numbers("num_groups", 3),
    numbers("global_offset", 3),
    numbers("work_dim", 1),
    pointer("local_memory"),
    pointer("private_memory"),
];

impl Emitter {
    /// Declares the variables of `kernel` at their places, and that of the work-item.
    pub fn declare_variables(&mut self, kernel: Value) {
        let entry = self.function.entry_block();
        let words: u64 = FIELDS.iter().map(|field| field.count).sum();
        let work_item = self
            .builder
            .alloca(self.builder.i64().array(words), "mocl3");
        work_item.set_alignment(8);
        kernel.declare_work_item(entry, work_item, FIELDS);
        self.store_group(work_item);
        let mut addresses = Vec::new();
        for variable in kernel.declared_variables() {
            let address = variable.address;
            if let Some(&mapped) = self.uniform_values.get(&address) {
                let place = match mapped.is(Opcode::LLVMAlloca) {
                    true => VariableAddress::At(mapped),
                    false => VariableAddress::Through(self.slot_of(mapped)),
                };
                variable.declare(entry, place);
            } else if self.per_item_of.contains_key(&address) {
                let slot = self.address_slot(address);
                addresses.push((address, slot));
                variable.declare(entry, VariableAddress::Through(slot));
            }
        }
        self.debugged = Some(DebugVariables {
            work_item,
            addresses,
        });
    }

    fn address_slot(&self, address: Value) -> Value {
        let slot = self.builder.alloca(address.ty(), "address");
        slot.set_alignment(8);
        slot
    }

    /// A slot that holds an address.
    fn slot_of(&self, address: Value) -> Value {
        let slot = self.address_slot(address);
        self.builder.store(address, slot, 8);
        slot
    }

    /// Stores what all work-items have in common.
    fn store_group(&self, work_item: Value) {
        let range = &self.range;
        let vectors = [
            &range.group_id,
            &range.global_size,
            &range.local_size,
            &range.group_count,
            &range.global_offset,
        ];
        let dimensions = range.work_dimensions.expect("loaded in the entry block");
        let dimensions = self.builder.zero_extend(dimensions, self.builder.i64());
        let mut values: Vec<Value> = vectors.into_iter().flatten().copied().collect();
        values.extend([dimensions, self.local_memory, self.private_memory]);
        self.store_words(work_item, 6, &values);
    }

    fn store_words(&self, work_item: Value, first: u64, values: &[Value]) {
        let b = &self.builder;
        for (word, value) in (first..).zip(values) {
            let place = b.offset(work_item, b.i64().constant(8 * word));
            b.store(*value, place, 8);
        }
    }

    /// Stores which work-item begins, and the addresses of its own variables; `address_of` gives
    /// that of an array with an element for each work-item.
    pub fn store_work_item(&self, ids: [[Value; 3]; 2], address_of: impl Fn(&PerItem) -> Value) {
        let Some(debugged) = &self.debugged else {
            return;
        };
        self.store_words(debugged.work_item, 0, ids.as_flattened());
        for (variable, slot) in &debugged.addresses {
            let own = &self.per_item[self.per_item_of[variable]];
            self.builder.store(address_of(own), *slot, 8);
        }
    }
}
