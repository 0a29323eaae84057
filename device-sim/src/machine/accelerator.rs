//! Accelerators of fixed functions.

use super::error::MachineError;
use super::quantity::{Limit, Quantity, check_limits};
use serde::{Deserialize, Serialize};

/// Accelerators that perform one function.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Accelerator {
    /// The function's name.
    pub function: String,
    /// Number of accelerators.
    pub units: Quantity,
    /// Elements of a frame, the input of a task.
    pub frame: Quantity,
    /// Cycles of a task.
    pub cycles: Quantity,
}

impl Accelerator {
    /// Maximum number of accelerators of a function.
    pub const MAX_UNITS: u64 = 1 << 10;

    fn limits(&self) -> [Limit<'_>; 3] {
        [
            ("units", &self.units, 1, Self::MAX_UNITS),
            ("frame", &self.frame, 1, 1 << 20),
            ("cycles", &self.cycles, 1, 1 << 40),
        ]
    }

    /// Arrays of tables are no sections, whose units are checked with the names.
    fn check_units(&self, name: &str) -> Result<(), MachineError> {
        let units = [
            ("units", &self.units, ""),
            ("frame", &self.frame, ""),
            ("cycles", &self.cycles, "cycle"),
        ];
        for (key, number, expected) in units {
            if number.unit != expected {
                return Err(MachineError::Unit {
                    name: format!("{name}.{key}"),
                    expected: expected.to_owned(),
                    found: number.unit.clone(),
                });
            }
        }
        Ok(())
    }

    pub(super) fn check(all: &[Self]) -> Result<(), MachineError> {
        for (place, accelerator) in all.iter().enumerate() {
            let function = &accelerator.function;
            if all[..place].iter().any(|other| other.function == *function) {
                return Err(MachineError::Impossible(format!(
                    "two tables [[accelerator]] have the function {function}"
                )));
            }
            let name = format!("accelerator.{function}");
            check_limits(&name, &accelerator.limits())?;
            accelerator.check_units(&name)?;
        }
        Ok(())
    }
}
