//! Costs of scalar accesses of DDR that no data cache serves.

use super::machine_params::MachineParams;
use super::operation::{InstructionCost, Operation, Unit, WHOLE};

/// A scalar access of DDR through the port, by whole lines.
pub fn scalar_uncached(params: &MachineParams, is_store: bool, bytes: u32) -> InstructionCost {
    let latency = if is_store { 1 } else { params.ddr_latency };
    let lines = bytes.div_ceil(params.line).max(1);
    InstructionCost {
        chain: vec![
            Operation::outside(Unit::ScalarMemory, 1, 0),
            Operation::outside(Unit::Port, params.port(lines), latency),
        ],
        instances: 1,
        traffic: u64::from(lines * params.line) * WHOLE,
        ..InstructionCost::default()
    }
}
