//! Costs of scalar accesses of memories outside the array that no data cache serves.

use super::machine_params::MachineParams;
use super::operation::{InstructionCost, Operation, Unit, WHOLE};
use device_sim::machine::SharedMemory;

/// A scalar access of a memory through the port, by whole lines.
pub fn scalar_uncached(
    params: &MachineParams,
    memory: SharedMemory,
    is_store: bool,
    bytes: u32,
) -> InstructionCost {
    let latency = if is_store { 1 } else { params.latency(memory) };
    let lines = bytes.div_ceil(params.line).max(1);
    InstructionCost {
        chain: vec![
            Operation::outside(Unit::ScalarMemory, 1, 0),
            Operation::outside(Unit::Port, params.port(memory, lines), latency),
        ],
        instances: 1,
        ..InstructionCost::default()
    }
    .moving(memory, u64::from(lines * params.line) * WHOLE)
}
