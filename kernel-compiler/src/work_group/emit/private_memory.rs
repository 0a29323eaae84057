//! Places private variables: in registers, on the stack, or in the group's private memory, there once
//! or with an element per work-item.

use super::emitter::{BASE_ALIGNMENT, Emitter, PerItem};
use crate::ir::Value;
use crate::vectorize::private_arrays;
use crate::work_group::cross_barrier_values::Slot;
use crate::work_group::private_arrays::{PrivateArray, Storage};
use crate::work_group::resources::Resources;

/// Arrays with an element per work-item are laid out for a multiple of this many
/// work-items, so that each begins aligned.
const WORK_ITEM_GRANULE: u64 = 128;

/// Work-items whose arrays are interleaved: at least as many as lanes, and a divisor of the granule.
pub const INTERLEAVED_WORK_ITEMS: u64 = 32;

/// What a work-item has its own of.
struct OwnVariable {
    variable: Value,
    /// Bytes.
    size: u64,
    /// Bytes.
    alignment: u32,
    /// Bytes of an element, if neighbouring work-items' arrays are interleaved.
    element: Option<u64>,
}

impl Emitter {
    /// Gives each slot and private array its place.
    pub fn place_private(&mut self, slots: &[Slot], private: &[PrivateArray]) -> Resources {
        let mut resources = Resources::default();
        let mut own: Vec<OwnVariable> = Vec::new();
        for slot in slots {
            self.place_slot(slot, &mut own, &mut resources);
        }
        for array in private {
            self.place_array(array, &mut own, &mut resources);
        }
        if !own.is_empty() {
            self.place_per_item(own, &mut resources);
        }
        resources
    }

    /// The address of the next bytes of the group's private memory.
    fn allocate_in_group(&self, bytes: u64, resources: &mut Resources) -> Value {
        let b = &self.builder;
        let offset = b.i64().constant(resources.group_private);
        resources.group_private += bytes.next_multiple_of(u64::from(BASE_ALIGNMENT));
        b.offset(self.private_memory, offset)
    }

    fn place_slot(&mut self, slot: &Slot, own: &mut Vec<OwnVariable>, resources: &mut Resources) {
        if self.slots_in_registers {
            let register = self.builder.alloca(slot.ty, "register");
            self.slot_registers.insert(slot.alloca, register);
            self.registers.insert(register);
        }
        let (size, alignment) = (self.layout.size(slot.ty), self.layout.alignment(slot.ty));
        if slot.uniform {
            // Not on the stack: LLVM would carry the value through the loops over the work-items.
            let start = resources.group_private;
            let address = self.allocate_in_group(size, resources);
            self.uniform_slots.insert(slot.alloca, address);
            self.uniform_ranges.push(start..start + size);
        } else {
            resources.private.kept += size;
            own.push(OwnVariable {
                variable: slot.alloca,
                size,
                alignment,
                element: None,
            });
        }
    }

    fn place_array(
        &mut self,
        array: &PrivateArray,
        own: &mut Vec<OwnVariable>,
        resources: &mut Resources,
    ) {
        if array.is_kept {
            resources.private.kept += array.size;
        } else {
            resources.private.transient += array.size;
        }
        match array.storage {
            Storage::Stack | Storage::Shared => {
                if array.storage == Storage::Shared {
                    self.shared.insert(array.alloca);
                }
                let copy = array.alloca.clone_instruction();
                self.builder.insert(copy);
                self.uniform_values.insert(array.alloca, copy);
            }
            Storage::Group => {
                let address = self.allocate_in_group(array.size, resources);
                self.uniform_values.insert(array.alloca, address);
            }
            Storage::WorkItem => own.push(OwnVariable {
                variable: array.alloca,
                size: array.size,
                alignment: array.alignment,
                element: self.interleave(array),
            }),
        }
    }

    /// Interleaves an array with those of neighbouring work-items, so that lanes find the same element in adjacent memory.
    /// Returns the bytes of an element; none where that is not possible, or simulated time or a debugger depends on the
    /// places.
    fn interleave(&self, array: &PrivateArray) -> Option<u64> {
        let may = self.lanes && !self.timed && !self.is_debugged;
        may.then(|| {
            let work_items = INTERLEAVED_WORK_ITEMS as u32;
            private_arrays::interleave_work_items(array.alloca, work_items, self.layout)
        })?
    }

    /// Gives each variable an array in the group's private memory, with an element per work-item.
    fn place_per_item(&mut self, own: Vec<OwnVariable>, resources: &mut Resources) {
        let b = &self.builder;
        let sizes = &self.range.local_size;
        let items = b
            .multiply(b.multiply(sizes[0], sizes[1]).no_wrap(), sizes[2])
            .no_wrap();
        let granule = b.i64().constant(WORK_ITEM_GRANULE - 1);
        let items = b.and(
            b.add(items, granule),
            b.i64().constant(!(WORK_ITEM_GRANULE - 1)),
        );
        let base = b.offset(
            self.private_memory,
            b.i64().constant(resources.group_private),
        );
        for of in own {
            let multiple = u64::from(of.alignment.max(1)).max(of.element.unwrap_or(1));
            let size = of.size.next_multiple_of(multiple).max(1);
            let place = b.multiply(items, b.i64().constant(resources.work_item_private));
            let array = b.offset(base, place);
            self.per_item_of.insert(of.variable, self.per_item.len());
            self.per_item.push(PerItem {
                alloca: of.variable,
                array,
                size,
                alignment: of.alignment,
                element: of.element,
            });
            resources.work_item_private += size;
        }
        resources.group_private += resources.work_item_private * (WORK_ITEM_GRANULE - 1);
    }
}
