//! What the machine has for a kernel's data and code, and what of it a kernel exceeds.

use super::code_stack_layout::CodeStackLayout;
use super::description::Machine;
use serde::{Deserialize, Serialize};

/// Capacities for the stack and the code of a kernel, bytes. 0 is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capacities {
    /// The part of SM for the stack; 0 if the stack is in DDR in any case.
    pub stack: u64,
    /// The level 1 program cache.
    pub program_cache: u64,
    /// The memory that holds code.
    pub code: u64,
}

/// What a kernel needs, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelMemory {
    /// Private memory of a group, of which all lanes run at a time.
    pub private_memory: u64,
    /// What local memory leaves of AM for it.
    pub private_memory_limit: u64,
    /// The control core's stack.
    pub stack: u64,
    /// Code.
    pub code: u64,
}

/// A memory that a kernel exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Excess {
    /// The lanes' private memory in AM: fewer lanes could run at a time.
    PrivateMemory,
    /// The stack in SM: it is in DDR.
    Stack,
    /// The program cache: code is fetched repeatedly.
    ProgramCache,
    /// The memory that holds code: the kernel cannot run.
    Code,
}

/// What a kernel needs more of than the machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct Exceeded {
    /// The memory.
    pub memory: Excess,
    /// What the kernel needs, bytes.
    pub needed: u64,
    /// What the machine has, bytes.
    pub available: u64,
}

impl Exceeded {
    fn sentence(&self) -> String {
        let (needed, available) = (self.needed, self.available);
        match self.memory {
            Excess::PrivateMemory => format!(
                "the private memory of all lanes has {needed} bytes, and local memory leaves {available} of \
                 AM: the machine would run fewer lanes at a time, and take longer than simulated"
            ),
            Excess::Stack => {
                format!("the stack of {needed} bytes is in DDR: its part of SM has {available}")
            }
            Excess::ProgramCache => format!(
                "the code of {needed} bytes exceeds the program cache of {available}, and is fetched \
                 repeatedly"
            ),
            Excess::Code => format!(
                "the code of {needed} bytes exceeds the memory that holds it, which has {available}"
            ),
        }
    }
}

impl Capacities {
    /// Those of a machine with that layout.
    pub fn new(machine: &Machine, layout: &CodeStackLayout) -> Self {
        let memory = &machine.memory;
        Self {
            stack: match layout.stack_percent {
                0 => 0,
                _ => layout.stack_in_sm(memory),
            },
            program_cache: memory.l1p.size.value,
            code: memory.shared(layout.code.into()).size.value,
        }
    }

    /// What a kernel exceeds, the most serious first.
    pub fn exceeded(&self, kernel: &KernelMemory) -> Vec<Exceeded> {
        let of = |memory, needed, available| {
            (needed > available && available > 0).then_some(Exceeded {
                memory,
                needed,
                available,
            })
        };
        [
            of(Excess::Code, kernel.code, self.code),
            of(
                Excess::PrivateMemory,
                kernel.private_memory,
                kernel.private_memory_limit,
            ),
            of(Excess::Stack, kernel.stack, self.stack),
            of(Excess::ProgramCache, kernel.code, self.program_cache),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_exceed_what_is_less_than_they_need() {
        let machine = Machine::mt3000();
        let mut layout = CodeStackLayout::from(&machine.layout);
        let capacities = Capacities::new(&machine, &layout);
        // 20 % of 64 KiB, and what is below the alignment of local memory in the rest.
        assert_eq!(capacities.stack, 65_536 - 52_352);
        let fits = KernelMemory {
            private_memory: 786_432,
            private_memory_limit: 786_432,
            stack: 13_184,
            code: 32_768,
        };
        assert_eq!(capacities.exceeded(&fits), []);
        let exceeds = KernelMemory {
            private_memory: 786_433,
            private_memory_limit: 786_432,
            stack: 13_185,
            code: 32_769,
        };
        let exceeded = capacities.exceeded(&exceeds);
        let memories: Vec<Excess> = exceeded.iter().map(|one| one.memory).collect();
        assert_eq!(
            memories,
            [Excess::PrivateMemory, Excess::Stack, Excess::ProgramCache]
        );
        assert_eq!(
            exceeded[1].to_string(),
            "the stack of 13185 bytes is in DDR: its part of SM has 13184"
        );
        layout.stack_percent = 0;
        let without = Capacities::new(&machine, &layout).exceeded(&exceeds);
        assert!(without.iter().all(|one| one.memory != Excess::Stack));
        layout.code = super::super::CodeMemory::Gsm;
        let small = KernelMemory {
            code: (6 << 20) + 1,
            ..fits
        };
        let exceeded = Capacities::new(&machine, &layout).exceeded(&small);
        assert_eq!(exceeded[0].memory, Excess::Code);
    }
}
