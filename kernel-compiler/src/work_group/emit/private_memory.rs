//! Where private variables are: in registers, on the stack, in the group's private memory,
//! or there with one for each work-item.

use super::{BASE_ALIGNMENT, Emitter};
use crate::ir::Value;
use crate::work_group::Resources;
use crate::work_group::cross_barrier_values::{PrivateArray, Slot, Storage};

/// Arrays with an element per work-item are laid out for a multiple of this many
/// work-items, so that each begins aligned.
const WORK_ITEM_GRANULE: u64 = 128;

/// An array with an element for each work-item.
pub struct PerItem {
    /// What the element stands for in the kernel.
    pub alloca: Value,
    pub array: Value,
    pub size: u64,
    pub alignment: u32,
}

impl Emitter {
    /// Gives each slot and private array its place.
    pub fn place_private(&mut self, slots: &[Slot], private: &[PrivateArray]) -> Resources {
        let b = &self.builder;
        let mut resources = Resources {
            local_memory: 0,
            group_private: 0,
            work_item_private: 0,
            stack: 0,
            in_turn: 0,
            innermost: false,
        };
        let mut per_item = Vec::new();
        for slot in slots {
            if self.slots_in_registers {
                let register = b.alloca(slot.ty, "register");
                self.slot_registers.insert(slot.alloca, register);
                self.registers.insert(register);
            }
            if slot.uniform {
                // Not on the stack: LLVM would make the loops over the work-items hand it on.
                let place = resources.group_private;
                let address = b.offset(self.private_memory, b.i64().constant(place));
                self.of_the_group.insert(slot.alloca, address);
                resources.group_private += self
                    .layout
                    .size(slot.ty)
                    .next_multiple_of(u64::from(BASE_ALIGNMENT));
                continue;
            }
            per_item.push((
                slot.alloca,
                self.layout.size(slot.ty),
                self.layout.alignment(slot.ty),
            ));
        }
        for array in private {
            match array.storage {
                Storage::Stack | Storage::Shared => {
                    if array.storage == Storage::Shared {
                        self.shared.insert(array.alloca);
                    }
                    let copy = array.alloca.clone_instruction();
                    b.insert(copy);
                    self.fixed.insert(array.alloca, copy);
                    resources.stack += array.size;
                }
                Storage::Group => {
                    let place = resources.group_private;
                    let address = b.offset(self.private_memory, b.i64().constant(place));
                    self.fixed.insert(array.alloca, address);
                    resources.in_turn += array.size;
                    resources.group_private +=
                        array.size.next_multiple_of(u64::from(BASE_ALIGNMENT));
                }
                Storage::WorkItem => per_item.push((array.alloca, array.size, array.alignment)),
            }
        }
        if per_item.is_empty() {
            return resources;
        }
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
        for (alloca, size, alignment) in per_item {
            let size = size.next_multiple_of(u64::from(alignment.max(1))).max(1);
            let place = b.multiply(items, b.i64().constant(resources.work_item_private));
            let array = b.offset(base, place);
            self.per_item_of.insert(alloca, self.per_item.len());
            self.per_item.push(PerItem {
                alloca,
                array,
                size,
                alignment,
            });
            resources.work_item_private += size;
        }
        resources.group_private += resources.work_item_private * (WORK_ITEM_GRANULE - 1);
        resources
    }
}
