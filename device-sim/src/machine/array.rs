//! An acceleration array: lanes, issue slots, latencies, registers.

use super::quantity::{Limit, Quantity};
use serde::{Deserialize, Serialize};

/// An acceleration array.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Array {
    /// Accelerator cores in lock-step.
    pub lanes: Quantity,
    /// Widest operand of a lane's operation, bits. Wider values take several registers and operations.
    pub lane_width: Quantity,
    /// Width of a vector register over all lanes, bits.
    pub vector_register: Quantity,
    /// Issue slots per cycle, by kind of operation.
    pub slots: Slots,
    /// Registers.
    pub registers: Registers,
    /// Latencies of operations, cycles.
    pub latency: Latencies,
    /// Divisions and roots: a seed and Newton steps on multiply-add units.
    pub division: Division,
    /// Loads and stores.
    pub access: Accesses,
    /// Machine code.
    pub code: Code,
}

/// Issue slots per cycle, by kind of operation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Registers {
    /// Of the control core.
    pub scalar: Quantity,
    /// Of the lanes, `Array::vector_register` bits each.
    pub vector: Quantity,
}

/// Latencies of operations: cycles from the issue to the earliest use of the result.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
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
    /// Broadcast of a scalar to all lanes.
    pub broadcast: Quantity,
    /// Move from a lane to a scalar register.
    pub to_scalar: Quantity,
    /// Branches.
    pub branch: Quantity,
    /// Draining the pipeline at a work-group's barrier.
    pub barrier: Quantity,
}

/// Divisions and roots: a seed and Newton steps on multiply-add units.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Accesses {
    /// Cycles of a gather from or scatter to AM.
    pub gather: Quantity,
    /// Miss rate of the data cache for a stack in DDR, in thousandths.
    pub stack_misses: Quantity,
}

/// Machine code.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// Bytes of an operation.
    pub operation: Quantity,
    /// Operations of a called function.
    pub call: Quantity,
}

impl Array {
    pub(super) fn limits(&self) -> Vec<Limit<'_>> {
        let (slots, registers, latency) = (&self.slots, &self.registers, &self.latency);
        let (division, access, code) = (&self.division, &self.access, &self.code);
        let cycles = 10_000;
        vec![
            ("lanes", &self.lanes, 1, 1024),
            ("lane_width", &self.lane_width, 8, 64),
            // At least a double.
            ("vector_register", &self.vector_register, 64, 1 << 20),
            ("slots.scalar_integer", &slots.scalar_integer, 1, 64),
            ("slots.scalar_multiply", &slots.scalar_multiply, 1, 64),
            ("slots.branch", &slots.branch, 1, 64),
            ("slots.vector_integer", &slots.vector_integer, 1, 64),
            ("slots.vector_multiply", &slots.vector_multiply, 1, 64),
            ("registers.scalar", &registers.scalar, 1, 1 << 16),
            ("registers.vector", &registers.vector, 1, 1 << 16),
            (
                "latency.vector_multiply_add",
                &latency.vector_multiply_add,
                0,
                cycles,
            ),
            ("latency.vector_float", &latency.vector_float, 0, cycles),
            ("latency.vector_integer", &latency.vector_integer, 0, cycles),
            ("latency.vector_convert", &latency.vector_convert, 0, cycles),
            (
                "latency.scalar_multiply_add",
                &latency.scalar_multiply_add,
                0,
                cycles,
            ),
            ("latency.scalar_float", &latency.scalar_float, 0, cycles),
            ("latency.scalar_integer", &latency.scalar_integer, 0, cycles),
            (
                "latency.integer_multiply",
                &latency.integer_multiply,
                0,
                cycles,
            ),
            ("latency.broadcast", &latency.broadcast, 0, cycles),
            ("latency.to_scalar", &latency.to_scalar, 0, cycles),
            ("latency.branch", &latency.branch, 0, cycles),
            ("latency.barrier", &latency.barrier, 0, cycles),
            ("division.seed", &division.seed, 0, cycles),
            ("division.half_steps", &division.half_steps, 0, 64),
            ("division.single_steps", &division.single_steps, 0, 64),
            ("division.double_steps", &division.double_steps, 0, 64),
            // Each operation is scheduled, which bounds their number.
            ("division.integer", &division.integer, 1, 1024),
            ("access.gather", &access.gather, 1, cycles),
            ("access.stack_misses", &access.stack_misses, 0, 1000),
            ("code.operation", &code.operation, 1, 1024),
            ("code.call", &code.call, 1, 1024),
        ]
    }
}
