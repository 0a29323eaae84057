//! Costs of the control core's stack, and of registers spilled to it or to AM.

use super::code::Code;
use super::operation::{InstructionCost, Operation, Unit, WHOLE};
use super::uncached_costs::scalar_uncached;
use device_sim::machine::SharedMemory;

/// Bytes of a scalar register.
const SCALAR_REGISTER_BYTES: u32 = 8;

/// An access of the scalar stack, the group's context or the kernel's arguments: of SM, or of DDR
/// through the data cache.
pub fn access(code: &Code<'_>, is_store: bool, bytes: u32) -> InstructionCost {
    let params = code.params;
    let instances = bytes.div_ceil(params.lane_width).max(1);
    let latency = params.sm_latency(is_store);
    if code.stack_in_sm {
        return InstructionCost {
            chain: vec![Operation::in_scratchpad(Unit::ScalarMemory, latency)],
            instances,
            scratchpad_bytes: bytes,
            ..InstructionCost::default()
        };
    }
    if !params.has_data_cache {
        return scalar_uncached(params, SharedMemory::Ddr, is_store, bytes);
    }
    let latency = if is_store { latency } else { params.cache_hit };
    let miss_penalty = params
        .latency(SharedMemory::Ddr)
        .saturating_sub(params.cache_hit);
    let lines = u64::from(params.stack_misses) * WHOLE / 1000 * u64::from(instances);
    InstructionCost {
        chain: vec![Operation::outside(Unit::ScalarMemory, 1, latency)],
        instances,
        stall: lines * u64::from(miss_penalty),
        ..InstructionCost::default()
    }
    .moving(SharedMemory::Ddr, lines * u64::from(params.line))
}

/// Registers stored and reloaded because there are too few.
pub fn spill(code: &Code<'_>, is_vector: bool, registers: u32) -> InstructionCost {
    let params = code.params;
    if !is_vector {
        let mut cost = access(code, true, SCALAR_REGISTER_BYTES);
        let reload = access(code, false, SCALAR_REGISTER_BYTES);
        cost.chain.extend(reload.chain);
        cost.instances = registers;
        cost.scratchpad_bytes = (cost.scratchpad_bytes + reload.scratchpad_bytes) * registers;
        for (sum, reloaded) in cost.traffic.iter_mut().zip(reload.traffic) {
            *sum = (*sum + reloaded) * u64::from(registers);
        }
        cost.stall = (cost.stall + reload.stall) * u64::from(registers);
        return cost;
    }
    InstructionCost {
        chain: vec![
            Operation::in_scratchpad(Unit::VectorMemory, params.vector_store),
            Operation::in_scratchpad(Unit::VectorMemory, params.vector_load),
        ],
        instances: registers,
        scratchpad_bytes: 2 * registers * params.lanes * params.operand_width.div_ceil(8),
        ..InstructionCost::default()
    }
}

/// Cycles for which spilling occupies the load and store units.
pub fn spill_cycles(code: &Code<'_>, is_vector: bool, registers: u32) -> u32 {
    let unit = if is_vector {
        Unit::VectorMemory
    } else {
        Unit::ScalarMemory
    };
    (2 * registers).div_ceil(code.params.slots[unit as usize])
}
