//! A number of the machine, and its source.

use super::error::MachineError;
use super::unit;
use serde::{Deserialize, Serialize};

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// In a paper, a manual or the vendor's headers.
    Published,
    /// Computed from published numbers.
    Derived,
    /// Not published; the note gives the reason for the value.
    Assumed,
    /// Not published; fitted to a published figure, which the note names.
    Calibrated,
    /// Chosen by the user, to see what would be: no property of a real machine.
    Hypothetical,
}

impl std::fmt::Display for Source {
    /// As written in machine descriptions.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Published => "published",
            Self::Derived => "derived",
            Self::Assumed => "assumed",
            Self::Calibrated => "calibrated",
            Self::Hypothetical => "hypothetical",
        })
    }
}

/// A number of the machine. Only its value is serialised, for cache keys: no code depends on the
/// rest.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Quantity {
    /// The number, in `unit`.
    pub value: u64,
    /// Its unit; empty for counts.
    #[serde(default, skip_serializing)]
    pub unit: String,
    /// Where it comes from.
    #[serde(skip_serializing)]
    pub source: Source,
    /// Its meaning, and the source by name.
    #[serde(skip_serializing)]
    pub note: String,
}

impl std::fmt::Display for Quantity {
    /// The value with its unit, scaled: `42.6 GB/s`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&unit::format(self.value, &self.unit))
    }
}

/// Maximum cycles of a step of a scheduler.
pub(super) const MOST_CYCLES: u64 = 1 << 32;

/// A quantity's name in its section of the file, the quantity, and its minimum and maximum.
pub(super) type Limit<'a> = (&'static str, &'a Quantity, u64, u64);

/// Checks that the quantities of a section are within their limits.
pub(super) fn check_limits(section: &str, limits: &[Limit<'_>]) -> Result<(), MachineError> {
    for &(name, quantity, min, max) in limits {
        if !(min..=max).contains(&quantity.value) {
            return Err(MachineError::Impossible(format!(
                "{section}.{name} is {}, which is not between {min} and {max}",
                quantity.value
            )));
        }
    }
    Ok(())
}

/// Checks that the quantities of a section are powers of two.
pub(super) fn check_powers_of_two(
    section: &str,
    quantities: &[(&'static str, &Quantity)],
) -> Result<(), MachineError> {
    for (name, quantity) in quantities {
        if !quantity.value.is_power_of_two() {
            return Err(MachineError::Impossible(format!(
                "{section}.{name} is no power of two"
            )));
        }
    }
    Ok(())
}
