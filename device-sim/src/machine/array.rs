//! An acceleration array: lanes, issue slots, latencies, registers.

use super::Quantity;
use serde::Deserialize;

/// An acceleration array.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Array {
    /// Accelerator cores in lock-step.
    pub lanes: Quantity,
    /// Width of a vector register over all lanes, bits.
    pub vector_register: Quantity,
    /// Operations of each kind that an array issues in a cycle.
    pub slots: Slots,
    /// Registers.
    pub registers: Registers,
    /// Cycles from an operation's issue to the earliest use of what it gives.
    pub latency: Latencies,
    /// Divisions and roots: a seed and Newton steps on multiply-add units.
    pub division: Division,
    /// Loads and stores.
    pub access: Accesses,
    /// Machine code.
    pub code: Code,
}

/// Operations of each kind that an array issues in a cycle.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slots {
    /// Scalar integer operations.
    pub scalar_integer: Quantity,
    /// Scalar multiply-add units.
    pub scalar_multiply: Quantity,
    /// Branches.
    pub branch: Quantity,
    /// Vector integer and bit operations.
    pub vector_integer: Quantity,
    /// Vector multiply-add units.
    pub vector_multiply: Quantity,
}

/// Registers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registers {
    /// Of the control core.
    pub scalar: Quantity,
    /// Of the lanes, `Array::vector_register` bits each.
    pub vector: Quantity,
}

/// Cycles from an operation's issue to the earliest use of what it gives.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latencies {
    /// Vector multiplication and multiply-add.
    pub vector_multiply_add: Quantity,
    /// Other vector floating-point operations.
    pub vector_float: Quantity,
    /// Vector integer and bit operations.
    pub vector_integer: Quantity,
    /// Vector conversions.
    pub vector_convert: Quantity,
    /// Scalar multiplication and multiply-add.
    pub scalar_multiply_add: Quantity,
    /// Other scalar floating-point operations.
    pub scalar_float: Quantity,
    /// Scalar integer operations.
    pub scalar_integer: Quantity,
    /// Integer multiplication.
    pub integer_multiply: Quantity,
    /// A scalar to all lanes.
    pub broadcast: Quantity,
    /// A lane to a scalar register.
    pub to_scalar: Quantity,
    /// Branches.
    pub branch: Quantity,
    /// Cycles that a work-group's barrier drains the pipeline for.
    pub barrier: Quantity,
}

/// Divisions and roots: a seed and Newton steps on multiply-add units.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Division {
    /// Latency of a seed, cycles.
    pub seed: Quantity,
    /// Newton steps of half precision.
    pub half_steps: Quantity,
    /// Newton steps of single precision.
    pub single_steps: Quantity,
    /// Newton steps of double precision.
    pub double_steps: Quantity,
    /// Operations of an integer division.
    pub integer: Quantity,
}

/// Loads and stores.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accesses {
    /// Cycles of an access of AM with places that are not known.
    pub gather: Quantity,
    /// Accesses of a stack in DDR that miss the data cache, in thousandths.
    pub stack_misses: Quantity,
}

/// Machine code.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// Bytes of an operation.
    pub operation: Quantity,
    /// Operations of a function that is called.
    pub call: Quantity,
}
