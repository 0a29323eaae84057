//! Where a program's code, scalar stack and local memory lie.

use super::error::MachineError;
use super::memories::{Memories, Scratchpad, SharedMemory};
use super::quantity::{Limit, Quantity};
use environment::{CODE_LAYOUT, STACK_LAYOUT, Variable};
use once_cell::sync::Lazy;
use serde::{Deserialize, Serialize};

/// Alignment of local memory, bytes.
const ALIGNMENT: u64 = 128;

/// The memory that holds a program's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CodeMemory {
    /// The cluster's DDR.
    Ddr,
    /// The cluster's global shared memory.
    Gsm,
}

impl From<CodeMemory> for SharedMemory {
    fn from(memory: CodeMemory) -> Self {
        match memory {
            CodeMemory::Ddr => Self::Ddr,
            CodeMemory::Gsm => Self::Gsm,
        }
    }
}

/// The layout that applies unless the environment names another.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DefaultLayout {
    /// Share of SM that holds the stack, per cent: 0 (the stack is in DDR), 20, 40, 60, 80 or
    /// 100.
    pub stack: Quantity,
    /// The memory that holds code.
    pub code: CodeMemory,
}

impl DefaultLayout {
    pub(super) fn check(&self) -> Result<(), MachineError> {
        let stack = self.stack.value;
        if stack.is_multiple_of(20) {
            return Ok(());
        }
        Err(MachineError::Impossible(format!(
            "layout.stack is {stack}, which is none of 0, 20, 40, 60, 80, 100"
        )))
    }

    pub(super) fn limits(&self) -> Vec<Limit<'_>> {
        vec![("stack", &self.stack, 0, 100)]
    }
}

/// Where code and scalar stack lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct CodeStackLayout {
    /// Share of SM that holds the stack, per cent; 0: the stack is in DDR.
    pub stack_percent: u64,
    /// The memory that holds code.
    pub code: CodeMemory,
}

/// The values that the environment sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Overrides {
    stack_percent: Option<u64>,
    code: Option<CodeMemory>,
}

static OVERRIDES: Lazy<Overrides> = Lazy::new(|| {
    let value = |variable: Variable| Some(variable.get()?.display().to_string());
    let (overrides, warnings) = Overrides::parse(
        value(STACK_LAYOUT).as_deref(),
        value(CODE_LAYOUT).as_deref(),
    );
    for warning in warnings {
        log::warn!("{warning}; using what the machine's description says");
    }
    overrides
});

impl From<&DefaultLayout> for CodeStackLayout {
    fn from(layout: &DefaultLayout) -> Self {
        Self {
            stack_percent: layout.stack.value,
            code: layout.code,
        }
    }
}

impl CodeStackLayout {
    /// The machine's layout with what the environment overrides. The environment is read once;
    /// invalid values are ignored with a warning.
    pub fn from_environment(default: &DefaultLayout) -> Self {
        Self::from(default).with(*OVERRIDES)
    }

    /// Whether the environment says what part of SM holds the stack.
    pub fn is_stack_selected() -> bool {
        OVERRIDES.stack_percent.is_some()
    }

    fn with(self, overrides: Overrides) -> Self {
        Self {
            stack_percent: overrides.stack_percent.unwrap_or(self.stack_percent),
            code: overrides.code.unwrap_or(self.code),
        }
    }

    /// Bytes of SM that hold the stack; 0 if it is in DDR.
    pub fn stack_in_sm(&self, memory: &Memories) -> u64 {
        // The remainder below the alignment of local memory belongs to the stack.
        memory.sm.size.value - self.sm_without_stack(memory)
    }

    /// Bytes of SM that the stack leaves, in multiples of local memory's alignment.
    pub fn sm_without_stack(&self, memory: &Memories) -> u64 {
        let bytes = memory.sm.size.value * (100 - self.stack_percent) / 100;
        bytes - bytes % ALIGNMENT
    }

    /// Maximum local memory of a work-group, bytes.
    pub fn local_memory(&self, memory: &Memories) -> u64 {
        match memory.local_memory_in {
            Scratchpad::Am => memory.am.local_memory.value,
            Scratchpad::Sm => self.sm_without_stack(memory),
        }
    }

    /// Part of AM for private memory of a work-group that has `local_memory` bytes of local
    /// memory; bytes.
    pub fn private_memory(&self, memory: &Memories, local_memory: u64) -> u64 {
        let am = memory.am.size.value;
        match memory.local_memory_in {
            Scratchpad::Am => am.saturating_sub(local_memory.next_multiple_of(ALIGNMENT)),
            Scratchpad::Sm => am,
        }
    }
}

impl Overrides {
    /// Parses the values of hthreads' layout variables; and a message for each invalid one.
    fn parse(stack: Option<&str>, code: Option<&str>) -> (Self, Vec<String>) {
        let mut warnings = Vec::new();
        let mut value = |variable: Variable, text: Option<&str>, allowed: &str, factor: f64| {
            let text = text.map(str::trim).filter(|text| !text.is_empty())?;
            let mut numbers = allowed.split(", ").flat_map(str::parse::<f64>);
            let number = text.parse::<f64>().ok();
            let found = number.filter(|number| numbers.any(|one| one == *number));
            if found.is_none() {
                warnings.push(format!("{variable}={text} is none of {allowed}"));
            }
            Some((found? * factor).round() as u64)
        };
        let stack_percent = value(STACK_LAYOUT, stack, "0, .2, .4, .6, .8, 1", 100.0);
        let code = value(CODE_LAYOUT, code, "0, 1", 1.0).map(|number| match number {
            0 => CodeMemory::Ddr,
            _ => CodeMemory::Gsm,
        });
        let overrides = Self {
            stack_percent,
            code,
        };
        (overrides, warnings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;

    #[test]
    fn the_variables_are_the_papers() {
        for (text, percent) in [
            ("0", 0),
            (".2", 20),
            ("0.2", 20),
            (" .4", 40),
            ("0.60", 60),
            (".8", 80),
            ("1", 100),
            ("1.0", 100),
        ] {
            let (overrides, warnings) = Overrides::parse(Some(text), None);
            assert_eq!(overrides.stack_percent, Some(percent), "{text}");
            assert!(warnings.is_empty());
        }
        let (overrides, _) = Overrides::parse(None, Some("1"));
        assert_eq!(overrides.code, Some(CodeMemory::Gsm));
        assert_eq!(
            Overrides::parse(Some(""), None),
            (Overrides::default(), Vec::default())
        );
    }

    #[test]
    fn wrong_values_leave_the_machines() {
        for text in [".3", "20", "-0.2", "NaN", "inf", "half", "2"] {
            let (overrides, warnings) = Overrides::parse(Some(text), Some(text));
            assert_eq!(overrides, Overrides::default(), "{text}");
            assert_eq!(warnings.len(), 2, "{text}");
            assert!(warnings[0].contains(STACK_LAYOUT.name), "{}", warnings[0]);
        }
        let machine = Machine::mt3000();
        let layout = CodeStackLayout::from(&machine.layout);
        assert_eq!(layout.with(Overrides::default()), layout);
    }

    #[test]
    fn what_the_stack_leaves_of_sm_is_local_memory_there() {
        let mut machine = Machine::mt3000();
        let at = |stack_percent| CodeStackLayout {
            stack_percent,
            code: CodeMemory::Ddr,
        };
        assert_eq!(at(20).local_memory(&machine.memory), 640 << 10);
        assert_eq!(at(20).private_memory(&machine.memory, 0), 768 << 10);
        assert_eq!(at(20).private_memory(&machine.memory, 640 << 10), 128 << 10);
        assert_eq!(at(20).private_memory(&machine.memory, 1), (768 << 10) - 128);
        machine.memory.local_memory_in = Scratchpad::Sm;
        assert_eq!(at(20).private_memory(&machine.memory, 1024), 768 << 10);
        for (percent, local) in [(0, 65536), (20, 52352), (60, 26112), (100, 0)] {
            assert_eq!(at(percent).local_memory(&machine.memory), local);
            assert_eq!(at(percent).stack_in_sm(&machine.memory), 65536 - local);
        }
    }
}
