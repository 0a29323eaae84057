//! Slots that are not live at the same time and copied to each other through a φ become one, as
//! registers are coalesced when a program leaves SSA form: a sum that a loop around barriers carries
//! is then updated in place.

use super::cross_barrier_values::Slot;
use crate::analysis::cfg::Cfg;
use crate::ir::{Builder, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// Most slots times blocks for which liveness is computed.
const MAX_WORK: usize = 1 << 20;

/// Coalesces slots of a kernel; returns those that are left. Slots of the group stay: its work-items
/// would not all have read the old value when the first stores the new one.
pub fn coalesce(kernel: Value, mut slots: Vec<Slot>) -> Vec<Slot> {
    let own = slots.iter().filter(|slot| !slot.uniform);
    let numbers: HashMap<Value, usize> = own.map(|slot| slot.alloca).zip(0..).collect();
    let cfg = Cfg::compute(kernel);
    let copies = copies(&numbers);
    if copies.is_empty() || numbers.len() * cfg.blocks.len() > MAX_WORK {
        return slots;
    }
    let mut interference = Interference::find(&cfg, &numbers);
    let mut merged: HashMap<Value, Value> = HashMap::new();
    let current = |merged: &HashMap<Value, Value>, mut slot: Value| {
        while let Some(into) = merged.get(&slot) {
            slot = *into;
        }
        slot
    };
    let mut phis = Vec::new();
    for Copy { phi, to, from } in copies {
        let (to, from) = (current(&merged, to), current(&merged, from));
        if to != from {
            if to.allocated_type() != from.allocated_type()
                || !interference.merge(numbers[&to], numbers[&from])
            {
                continue;
            }
            from.replace_all_uses_with(to);
            from.erase();
            merged.insert(from, to);
        }
        phis.push(phi);
    }
    slots.retain(|slot| !merged.contains_key(&slot.alloca));
    phis.dedup();
    for phi in phis {
        store_on_edges(phi);
    }
    slots
}

/// A φ of which the value is stored to a slot and an incoming value is loaded from another one.
struct Copy {
    phi: Value,
    to: Value,
    from: Value,
}

fn copies(numbers: &HashMap<Value, usize>) -> Vec<Copy> {
    let mut order: Vec<Value> = numbers.keys().copied().collect();
    order.sort_by_key(|slot| numbers[slot]);
    let mut found = Vec::new();
    for to in order {
        for phi in phis_stored_to(to) {
            for (value, _) in phi.incoming() {
                let from = loaded_slot(value).filter(|from| numbers.contains_key(from));
                found.extend(from.map(|from| Copy { phi, to, from }));
            }
        }
    }
    found
}

fn phis_stored_to(slot: Value) -> Vec<Value> {
    let users = slot.users().into_iter();
    let stores = users.filter(|user| user.is(Opcode::LLVMStore));
    let stored = stores.map(|store| store.operand(0));
    stored
        .filter(|value| value.is_instruction() && value.is(Opcode::LLVMPHI))
        .collect()
}

/// The variable that a value is loaded from.
fn loaded_slot(value: Value) -> Option<Value> {
    (value.is_instruction() && value.is(Opcode::LLVMLoad)).then(|| value.operand(0))
}

/// Which slots hold different values at the same time.
struct Interference {
    with: Vec<HashSet<usize>>,
}

/// What an instruction does to a slot.
enum Access {
    Load(usize),
    Store(usize),
}

impl Interference {
    fn find(cfg: &Cfg, numbers: &HashMap<Value, usize>) -> Self {
        let accesses: Vec<Vec<Access>> = cfg
            .blocks
            .iter()
            .map(|block| {
                let instructions = block.instructions().into_iter();
                instructions.filter_map(|i| access(i, numbers)).collect()
            })
            .collect();
        let live_out = live_out(cfg, &accesses);
        let mut with = vec![HashSet::new(); numbers.len()];
        for (accesses, mut live) in accesses.iter().zip(live_out) {
            for access in accesses.iter().rev() {
                match *access {
                    Access::Load(slot) => {
                        live.insert(slot);
                    }
                    Access::Store(slot) => {
                        live.remove(&slot);
                        for other in &live {
                            with[slot].insert(*other);
                            with[*other].insert(slot);
                        }
                    }
                }
            }
        }
        Self { with }
    }

    /// Merges a slot into another one, unless they interfere.
    fn merge(&mut self, into: usize, from: usize) -> bool {
        if self.with[into].contains(&from) {
            return false;
        }
        for other in std::mem::take(&mut self.with[from]) {
            self.with[other].remove(&from);
            self.with[other].insert(into);
            self.with[into].insert(other);
        }
        true
    }
}

fn access(instruction: Value, numbers: &HashMap<Value, usize>) -> Option<Access> {
    let slot = |operand| numbers.get(&instruction.operand(operand)).copied();
    match instruction.opcode() {
        Opcode::LLVMLoad => slot(0).map(Access::Load),
        Opcode::LLVMStore => slot(1).map(Access::Store),
        _ => None,
    }
}

/// The slots that are loaded after each block, before they are stored.
fn live_out(cfg: &Cfg, accesses: &[Vec<Access>]) -> Vec<HashSet<usize>> {
    let live_in = |accesses: &[Access], out: &HashSet<usize>| {
        let mut live = out.clone();
        for access in accesses.iter().rev() {
            match access {
                Access::Load(slot) => live.insert(*slot),
                Access::Store(slot) => live.remove(slot),
            };
        }
        live
    };
    let mut out = vec![HashSet::new(); accesses.len()];
    let mut pending: Vec<usize> = (0..accesses.len()).collect();
    while let Some(block) = pending.pop() {
        let live = live_in(&accesses[block], &out[block]);
        for &predecessor in cfg.predecessors(block) {
            let before: &mut HashSet<usize> = &mut out[predecessor];
            let known = before.len();
            before.extend(&live);
            if before.len() > known {
                pending.push(predecessor);
            }
        }
    }
    out
}

/// Stores the incoming values of a φ where they come from instead of the φ itself, so that those which
/// the slot holds already need no store. Only from blocks with one successor: another one might load
/// the slot.
fn store_on_edges(phi: Value) {
    let mut stores = phi.users();
    stores.retain(|user| user.is(Opcode::LLVMStore) && user.operand(0) == phi);
    let [store] = stores[..] else {
        return;
    };
    let (slot, alignment) = (store.operand(1), store.alignment());
    let is_held = |value: Value| loaded_slot(value) == Some(slot);
    let incoming = phi.incoming();
    let can_store = |block: crate::ir::Block| block.successors().len() == 1;
    if !incoming
        .iter()
        .all(|(value, from)| is_held(*value) || can_store(*from))
    {
        return;
    }
    let builder = Builder::new(phi.ty().context());
    for (value, from) in &incoming {
        if !is_held(*value) {
            builder.before(from.terminator());
            builder.store(*value, slot, alignment);
        }
    }
    store.erase();
    if phi.users().is_empty() {
        phi.erase();
        let held: HashSet<Value> = incoming.iter().map(|(value, _)| *value).collect();
        for load in held.into_iter().filter(|value| is_held(*value)) {
            if load.users().is_empty() {
                load.erase();
            }
        }
    }
}
