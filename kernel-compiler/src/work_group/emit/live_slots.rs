//! Which slots have to be kept from region to region.

use super::accesses::access_pointer;
use crate::ir::{Block, Opcode, Value};
use crate::work_group::crossing::Slot;
use crate::work_group::region::{Exit, Region, Regions};
use std::collections::{HashMap, HashSet};

/// Which slots each region touches and needs.
pub struct LiveSlots {
    order: Vec<Value>,
    loaded: Vec<HashSet<Value>>,
    stored: Vec<HashSet<Value>>,
    live: Vec<HashSet<Value>>,
    number: HashMap<Block, usize>,
}

impl LiveSlots {
    /// Follows the slots of all regions.
    pub fn find(regions: &Regions, slots: &[Slot]) -> Self {
        let order: Vec<Value> = slots.iter().map(|slot| slot.alloca).collect();
        let slots: HashSet<Value> = order.iter().copied().collect();
        let mut found = Self {
            order,
            loaded: Vec::new(),
            stored: Vec::new(),
            live: Vec::new(),
            number: HashMap::new(),
        };
        for (number, region) in regions.regions.iter().enumerate() {
            let (mut loaded, mut stored) = (HashSet::new(), HashSet::new());
            for block in &region.blocks {
                for instruction in block.instructions() {
                    if !matches!(instruction.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore) {
                        continue;
                    }
                    let slot = access_pointer(instruction);
                    if !slots.contains(&slot) {
                        continue;
                    }
                    if instruction.opcode() == Opcode::LLVMLoad {
                        loaded.insert(slot);
                    } else {
                        stored.insert(slot);
                    }
                }
            }
            found.number.insert(region.start, number);
            found.live.push(loaded.clone());
            found.loaded.push(loaded);
            found.stored.push(stored);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (number, region) in regions.regions.iter().enumerate() {
                for exit in &region.exits {
                    let Exit::Region(next) = exit else { continue };
                    let wanted: Vec<Value> = found.live[*next].iter().copied().collect();
                    for slot in wanted {
                        changed |= found.live[number].insert(slot);
                    }
                }
            }
        }
        found
    }

    /// Slots a region reads or writes, in the order they were made.
    pub fn touched(&self, region: &Region) -> Vec<Value> {
        let number = self.number[&region.start];
        let touches =
            |slot: &Value| self.loaded[number].contains(slot) || self.stored[number].contains(slot);
        self.order.iter().copied().filter(touches).collect()
    }

    /// Whether a region writes a slot.
    pub fn stored_in(&self, region: &Region, slot: Value) -> bool {
        self.stored[self.number[&region.start]].contains(&slot)
    }

    /// Whether the region of that number, or one that may follow it, reads a slot.
    pub fn live_into(&self, number: usize, slot: Value) -> bool {
        self.live[number].contains(&slot)
    }
}
