//! Accelerators of fixed functions.

use super::error::MachineError;
use super::quantity::{Limit, Quantity, Source, check_limits};
use expression::Expression;
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
    /// Cycles of a task on a frame.
    pub cycles: Quantity,
    /// Cycles of a task of other sizes; without it, all take `cycles`.
    pub formula: Option<Formula>,
    /// The memory in which an accelerator has the data of its task. Without it, any data fit.
    pub scratchpad: Option<Quantity>,
    /// What moves data between memory and the scratchpad. Without it, that is part of `cycles`.
    pub dma: Option<AcceleratorDma>,
    /// The steps in which a task reads its inputs. Without it, the scratchpad has all data of a task.
    pub stream: Option<AcceleratorStream>,
}

/// Steps of equal length, each with inputs of its own. A scratchpad for the inputs of two steps is
/// filled for the next step during a step; results go to memory at the end.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AcceleratorStream {
    /// Bytes of the inputs of a step.
    pub width: Quantity,
    /// The number of steps of a task.
    pub steps: Formula,
}

/// An expression for a task: of the function's sizes, of `cycles` and of `frame`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Formula {
    /// The expression, as the crate `expression` parses it.
    pub expression: String,
    /// Where it comes from.
    pub source: Source,
    /// Its reason, or the source by name.
    pub note: String,
}

/// The DMA engine of an accelerator.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AcceleratorDma {
    /// Cycles to start a transfer: one for all inputs of a task, one for all outputs.
    pub start: Quantity,
    /// Bytes per cycle.
    pub rate: Quantity,
}

impl AcceleratorDma {
    /// Cycles of the transfer of `bytes`; none for no bytes.
    pub fn cycles(&self, bytes: u64) -> u64 {
        match bytes {
            0 => 0,
            _ => self.start.value + bytes.div_ceil(self.rate.value),
        }
    }
}

impl Accelerator {
    /// Maximum number of accelerators of a function.
    pub const MAX_UNITS: u64 = 1 << 10;

    /// Maximum cycles of a task.
    pub const MAX_CYCLES: u64 = 1 << 40;

    /// The numbers that it has, with their keys, limits and units.
    fn numbers(&self) -> Vec<(Limit<'_>, &'static str)> {
        let mut numbers = vec![
            (("units", &self.units, 1, Self::MAX_UNITS), ""),
            (("frame", &self.frame, 1, 1 << 20), ""),
            (("cycles", &self.cycles, 1, Self::MAX_CYCLES), "cycle"),
        ];
        if let Some(scratchpad) = &self.scratchpad {
            numbers.push((("scratchpad", scratchpad, 1, 1 << 40), "byte"));
        }
        if let Some(AcceleratorDma { start, rate }) = &self.dma {
            numbers.push((("dma.start", start, 0, 1 << 20), "cycle"));
            numbers.push((("dma.rate", rate, 1, 1 << 20), "byte/cycle"));
        }
        if let Some(AcceleratorStream { width, .. }) = &self.stream {
            numbers.push((("stream.width", width, 1, 1 << 40), "byte"));
        }
        numbers
    }

    /// Arrays of tables are no sections, whose units are checked with the names.
    fn check_numbers(&self, name: &str) -> Result<(), MachineError> {
        for (limit, expected) in self.numbers() {
            check_limits(name, &[limit])?;
            let (key, number, ..) = limit;
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

    /// Its formulas with their keys.
    fn formulas(&self) -> impl Iterator<Item = (&'static str, &Formula)> {
        let cycles = self.formula.iter().map(|formula| ("formula", formula));
        let stream = self.stream.iter();
        cycles.chain(stream.map(|stream| ("stream.steps", &stream.steps)))
    }

    /// Which names a formula may have depends on the function, which the machine does not know.
    fn check_formulas(&self, name: &str) -> Result<(), MachineError> {
        for (key, Formula { expression, .. }) in self.formulas() {
            Expression::parse(expression).map_err(|error| {
                MachineError::Impossible(format!("{name}.{key} is `{expression}`: {error}"))
            })?;
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
            accelerator.check_numbers(&name)?;
            accelerator.check_formulas(&name)?;
        }
        Ok(())
    }
}
