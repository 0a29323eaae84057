//! Where a program's stack, code and local memory are.

use crate::machine::{CodePlace, Machine, Scratchpad};
use environment::{CODE_LAYOUT, STACK_LAYOUT, Variable};
use once_cell::sync::Lazy;
use serde::Serialize;

/// What local memory is aligned to, bytes.
const ALIGNMENT: u64 = 128;

/// Where stack and code are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Layout {
    /// Part of SM that holds the stack, per cent; 0: the stack is in DDR.
    pub stack_percent: u64,
    /// Where code is.
    pub code: CodePlace,
}

/// What the environment says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Wish {
    stack_percent: Option<u64>,
    code: Option<CodePlace>,
}

impl Layout {
    /// What the machine file says.
    pub fn of(machine: &Machine) -> Self {
        Self {
            stack_percent: machine.layout.stack.value,
            code: machine.layout.code,
        }
    }

    /// What the environment says, and else the machine file. The environment is read once;
    /// of wrong values the log warns.
    pub fn from_environment(machine: &Machine) -> Self {
        static WISH: Lazy<Wish> = Lazy::new(|| {
            let value = |variable: Variable| Some(variable.get()?.display().to_string());
            let (wish, warnings) = Wish::parse(
                value(STACK_LAYOUT).as_deref(),
                value(CODE_LAYOUT).as_deref(),
            );
            for warning in warnings {
                log::warn!("{warning}; using what the machine's description says");
            }
            wish
        });
        Self::of(machine).with(*WISH)
    }

    fn with(self, wish: Wish) -> Self {
        Self {
            stack_percent: wish.stack_percent.unwrap_or(self.stack_percent),
            code: wish.code.unwrap_or(self.code),
        }
    }

    /// Bytes of SM that hold the stack; 0 if it is in DDR.
    pub fn stack_in_sm(&self, machine: &Machine) -> u64 {
        // The rest is what local memory needs to be aligned.
        machine.memory.sm.size.value - self.rest_of_sm(machine)
    }

    /// Bytes of SM beside the stack.
    pub fn rest_of_sm(&self, machine: &Machine) -> u64 {
        let rest = machine.memory.sm.size.value * (100 - self.stack_percent) / 100;
        rest - rest % ALIGNMENT
    }

    /// Bytes of local memory that a work-group can have.
    pub fn local_memory(&self, machine: &Machine) -> u64 {
        match machine.memory.local_memory_in {
            Scratchpad::Am => machine.memory.am.local_memory.value,
            Scratchpad::Sm => self.rest_of_sm(machine),
        }
    }
}

impl Wish {
    /// Reads the variables' values (MOCL3 paper); sentences on those that are wrong.
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
            0 => CodePlace::Ddr,
            _ => CodePlace::Gsm,
        });
        let wish = Self {
            stack_percent,
            code,
        };
        (wish, warnings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let (wish, warnings) = Wish::parse(Some(text), None);
            assert_eq!(wish.stack_percent, Some(percent), "{text}");
            assert!(warnings.is_empty());
        }
        let (wish, _) = Wish::parse(None, Some("1"));
        assert_eq!(wish.code, Some(CodePlace::Gsm));
        assert_eq!(
            Wish::parse(Some(""), None),
            (Wish::default(), Vec::default())
        );
    }

    #[test]
    fn wrong_values_leave_the_machines() {
        for text in [".3", "20", "-0.2", "NaN", "inf", "half", "2"] {
            let (wish, warnings) = Wish::parse(Some(text), Some(text));
            assert_eq!(wish, Wish::default(), "{text}");
            assert_eq!(warnings.len(), 2, "{text}");
            assert!(warnings[0].contains(STACK_LAYOUT.name), "{}", warnings[0]);
        }
        let machine = Machine::mt3000();
        let layout = Layout::of(&machine);
        assert_eq!(layout.with(Wish::default()), layout);
    }

    #[test]
    fn what_the_stack_leaves_of_sm_is_local_memory_there() {
        let mut machine = Machine::mt3000();
        let at = |stack_percent| Layout {
            stack_percent,
            code: CodePlace::Ddr,
        };
        assert_eq!(at(20).local_memory(&machine), 640 << 10);
        machine.memory.local_memory_in = Scratchpad::Sm;
        for (percent, local) in [(0, 65536), (20, 52352), (60, 26112), (100, 0)] {
            assert_eq!(at(percent).local_memory(&machine), local);
            assert_eq!(at(percent).stack_in_sm(&machine), 65536 - local);
        }
    }
}
