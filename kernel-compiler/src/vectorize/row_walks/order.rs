//! Which accesses of a walk may be executed several at once: those of other iterations then come before or behind them.

use super::{Advance, Condition, Forwarded, Overlap, RowWalk};
use crate::analysis::linear_address::LinearAddress;
use crate::analysis::loop_mark::WALKED_ITERATIONS;
use crate::ir::{Opcode, Value};
use crate::vectorize::instruction_queries::{accessed_type, pointer_of};

/// Most conditions that are checked before the loop.
const MAX_CONDITIONS: usize = 12;

/// What is known of the order of two accesses.
enum Order {
    Kept,
    KeptUnless(Overlap),
    /// The load has the value that the store of the last iteration has stored.
    Forwarded,
    Lost,
}

impl RowWalk {
    /// The walk with its conditions; none if accesses change their order in each case.
    pub fn in_order(mut self) -> Option<Self> {
        let instructions = self.block.instructions();
        let accesses = instructions
            .iter()
            .enumerate()
            .filter(|(_, access)| access.is(Opcode::LLVMLoad) || access.is(Opcode::LLVMStore));
        let accesses: Vec<(usize, Value)> = accesses.map(|(at, access)| (at, *access)).collect();
        let stores = accesses
            .iter()
            .filter(|(_, store)| store.is(Opcode::LLVMStore));
        for &(of_store, store) in stores {
            for &(of_other, other) in &accesses {
                let is_store = other.is(Opcode::LLVMStore);
                let is_pair = !is_store || of_other > of_store;
                if !is_pair || !self.may_change_order(store, other) {
                    continue;
                }
                let is_first = of_store < of_other;
                match self.order(store, other, is_first) {
                    Order::Kept => {}
                    Order::KeptUnless(overlap) => self.conditions.push(Condition {
                        store,
                        other,
                        overlap,
                    }),
                    Order::Forwarded => self.forwarded.push(Forwarded { load: other, store }),
                    Order::Lost => return None,
                }
            }
        }
        let is_loaded = |load: &Value| self.forwarded.iter().all(|value| value.load != *load);
        self.loads.retain(is_loaded);
        let has_rows = !self.loads.is_empty() || !self.delayed.is_empty();
        (has_rows && self.conditions.len() <= MAX_CONDITIONS).then_some(self)
    }

    /// Whether the version moves a store or another access to one of its objects. Objects of different address spaces
    /// share no bytes.
    fn may_change_order(&self, store: Value, other: Value) -> bool {
        let is_moved = |access| self.loads.contains(&access) || self.delayed.contains(&access);
        pointer_of(store).ty() == pointer_of(other).ty() && (is_moved(store) || is_moved(other))
    }

    /// The order of a store and another access, before which it is in an iteration, or not.
    fn order(&self, store: Value, other: Value, is_first: bool) -> Order {
        let (Some(of_store), Some(of_other)) = (self.advance(store), self.advance(other)) else {
            return Order::Lost;
        };
        let step = match (of_store, of_other) {
            (Advance::Row(step), Advance::Row(others)) if step == others => step,
            _ => return Order::KeptUnless(Overlap::Range),
        };
        let most = WALKED_ITERATIONS as i64 * step.abs() - 1;
        let least = match (other.is(Opcode::LLVMStore), is_first) {
            (true, _) => -most,
            (false, true) => 0,
            (false, false) => 1,
        };
        let (least, most) = match step > 0 {
            true => (least, most),
            false => (-most, -least),
        };
        let address = |access| LinearAddress::of(pointer_of(access), self.layout);
        let distance = address(other).zip(address(store));
        match distance.and_then(|(other, store)| other.bytes_to(&store)) {
            None => Order::KeptUnless(Overlap::Distance { least, most }),
            Some(distance) if !(least..=most).contains(&distance) => Order::Kept,
            Some(distance)
                if distance == step
                    && self.loads.contains(&other)
                    && accessed_type(other) == accessed_type(store) =>
            {
                Order::Forwarded
            }
            Some(_) => Order::Lost,
        }
    }
}
