//! Liveness of slots: which ones a region accesses, and which are live between regions.

use super::accesses::access_pointer;
use crate::ir::{Block, Opcode, Value};
use crate::work_group::cross_barrier_values::Slot;
use crate::work_group::region::{Region, Regions};
use std::collections::{HashMap, HashSet};

/// The slots that each region accesses, and those live into it.
pub struct LiveSlots {
    number: HashMap<Value, usize>,
    regions: HashMap<Block, Accesses>,
    /// By region: a bit per slot that is live into it. Empty if slots are not in registers.
    live: Vec<Vec<u64>>,
}

/// The slots that a region accesses.
struct Accesses {
    /// In the order of the slots.
    touched: Vec<Value>,
    stored: HashSet<Value>,
}

impl LiveSlots {
    /// Finds the accesses of all regions, and the liveness of slots that are `in_registers` within a
    /// region.
    pub fn find(regions: &Regions, slots: &[Slot], in_registers: bool) -> Self {
        let followed = if in_registers { slots.len() } else { 0 };
        let mut found = Self {
            number: slots.iter().map(|slot| slot.alloca).zip(0..).collect(),
            regions: HashMap::new(),
            live: vec![vec![0; followed.div_ceil(64)]; regions.regions.len()],
        };
        for (region, live) in regions.regions.iter().zip(&mut found.live) {
            let mut touched = HashSet::new();
            let mut stored = HashSet::new();
            for block in &region.blocks {
                for instruction in block.instructions() {
                    if !matches!(instruction.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore) {
                        continue;
                    }
                    let slot = access_pointer(instruction);
                    let Some(&number) = found.number.get(&slot) else {
                        continue;
                    };
                    touched.insert(slot);
                    if instruction.opcode() == Opcode::LLVMStore {
                        stored.insert(slot);
                    } else if in_registers {
                        live[number / 64] |= 1 << (number % 64);
                    }
                }
            }
            let mut touched: Vec<Value> = touched.into_iter().collect();
            touched.sort_by_key(|slot| found.number[slot]);
            let accesses = Accesses { touched, stored };
            found.regions.insert(region.start, accesses);
        }
        found.propagate(regions);
        found
    }

    /// Propagates liveness backwards to a fixed point.
    fn propagate(&mut self, regions: &Regions) {
        let mut changed = true;
        while changed {
            changed = false;
            // In reverse: most successors have higher numbers.
            for (number, region) in regions.regions.iter().enumerate().rev() {
                for exit in &region.exits {
                    let Some(next) = exit.next() else { continue };
                    let Ok([live, needed]) = self.live.get_disjoint_mut([number, next]) else {
                        continue;
                    };
                    for (live, needed) in live.iter_mut().zip(needed) {
                        changed |= *needed & !*live != 0;
                        *live |= *needed;
                    }
                }
            }
        }
    }

    /// The slots that a region loads or stores, in their order.
    pub fn touched(&self, region: &Region) -> &[Value] {
        &self.regions[&region.start].touched
    }

    /// Whether a region stores to a slot.
    pub fn stored_in(&self, region: &Region, slot: Value) -> bool {
        self.regions[&region.start].stored.contains(&slot)
    }

    /// Whether a slot is live into the region of that number.
    pub fn live_into(&self, number: usize, slot: Value) -> bool {
        let slot = self.number[&slot];
        self.live[number][slot / 64] & 1 << (slot % 64) != 0
    }
}
