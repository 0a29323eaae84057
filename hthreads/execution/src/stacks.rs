//! The machine's stacks of a thread: how much of them functions take, and what there is.
//!
//! The scalar stack is in SM, and grows down from its end, the vector stack in AM (from the machine's own library and
//! linker script). `HT_MEM_LAYOUT_POS` gives the scalar stack a part of SM, or places it in DDR, for which no limit is
//! published. Buffers share SM and AM with the stacks: that both together have room is not checked.

use crate::exception::{Details, Exception};
use crate::memory::array::{ArrayMemory, SM_TABLES};
use device_sim::machine::{CodeStackLayout, Machine};
use std::cell::Cell;

/// Bytes of the stacks that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limits {
    scalar: u64,
    vector: u64,
}

impl Limits {
    /// Those of a machine, with what the environment selects.
    fn of(machine: &Machine) -> Self {
        let selected = CodeStackLayout::is_stack_selected();
        let layout = CodeStackLayout::from_environment(&machine.layout);
        Self::with(machine, selected.then_some(layout.stack_percent))
    }

    /// With a share of SM for the stack, per cent.
    fn with(machine: &Machine, percent: Option<u64>) -> Self {
        let (sm, am) = (machine.memory.sm.size.value, machine.memory.am.size.value);
        Self {
            scalar: match percent {
                None => sm.saturating_sub(SM_TABLES.into()),
                Some(0) => u64::MAX,
                Some(percent) => sm * percent / 100,
            },
            vector: am,
        }
    }
}

/// The stacks of a thread.
#[derive(Debug)]
pub struct Stacks {
    limits: Limits,
    scalar: Cell<u64>,
    vector: Cell<u64>,
}

impl Stacks {
    /// Empty ones.
    pub fn new(machine: &Machine) -> Self {
        Self {
            limits: Limits::of(machine),
            scalar: Cell::new(0),
            vector: Cell::new(0),
        }
    }

    /// Adds a frame, in bytes; the exception if there is no room for it.
    pub fn push(&self, scalar: u64, vector: u64) -> Option<(Exception, Details)> {
        self.scalar.set(self.scalar.get().saturating_add(scalar));
        self.vector.set(self.vector.get().saturating_add(vector));
        if self.scalar.get() > self.limits.scalar {
            Some((Exception::SCALAR_UNIT, Details::Sm("stack overflow")))
        } else if self.vector.get() > self.limits.vector {
            Some((Exception::VECTOR_UNIT, Details::Am("stack overflow")))
        } else {
            None
        }
    }

    /// Removes a frame.
    pub fn pop(&self, scalar: u64, vector: u64) {
        self.scalar.set(self.scalar.get().saturating_sub(scalar));
        self.vector.set(self.vector.get().saturating_sub(vector));
    }

    /// The address of the last byte that a stack has, whose exception has these details.
    pub fn start(&self, memory: &ArrayMemory, details: Details) -> usize {
        match details {
            Details::Am(_) => memory.am.end().saturating_sub(self.limits.vector as usize),
            _ => memory.sm.end().saturating_sub(self.limits.scalar as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_gives_the_stack_a_part_of_sm() {
        let machine = Machine::mt3000();
        let scalar = |percent| Limits::with(&machine, percent).scalar;
        assert_eq!(scalar(None), 63 << 10);
        assert_eq!(scalar(Some(20)), 13_107);
        assert_eq!(scalar(Some(100)), 64 << 10);
        assert_eq!(scalar(Some(0)), u64::MAX);
        assert_eq!(Limits::with(&machine, None).vector, 768 << 10);
    }

    #[test]
    fn frames_that_have_returned_leave_room() {
        let stacks = Stacks {
            limits: Limits {
                scalar: 100,
                vector: 256,
            },
            scalar: Cell::new(0),
            vector: Cell::new(0),
        };
        assert_eq!(stacks.push(60, 128), None);
        assert_eq!(stacks.push(40, 128), None);
        stacks.pop(40, 128);
        let (exception, _) = stacks.push(41, 0).unwrap();
        assert_eq!(exception, Exception::SCALAR_UNIT);
        stacks.pop(41, 0);
        let (exception, _) = stacks.push(0, 256).unwrap();
        assert_eq!(exception, Exception::VECTOR_UNIT);
    }
}
