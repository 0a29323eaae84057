//! What instructions cause.

use crate::device_cost_model::operation::{InstructionCost, MemoryLevel, Unit, WHOLE};

/// Weights in compute, scratchpad, outside and barrier cycles.
pub type Weights = [u64; 4];

/// The place of outside cycles.
pub const OUTSIDE: usize = 2;

/// The weights of an instruction's operations; memories have lines of that many bytes.
pub fn of_instruction(cost: &InstructionCost, line: u32) -> Weights {
    let mut weights = Weights::default();
    for operation in &cost.chain {
        let place = match (operation.unit, operation.level) {
            (Unit::Port, _) => OUTSIDE,
            (_, MemoryLevel::Scratchpad) => 1,
            _ => 0,
        };
        let busy = u64::from(operation.busy) * u64::from(cost.instances);
        // Accesses are issued as well.
        if place == 1 {
            weights[0] += u64::from(cost.instances);
        }
        weights[place] += busy;
    }
    let traffic: u64 = cost.traffic.iter().sum();
    weights[OUTSIDE] += (cost.stall + traffic / u64::from(line)) / WHOLE;
    weights[OUTSIDE] += cost.counted.map_or(0, |counted| counted.outside.into());
    weights[3] += u64::from(cost.barrier);
    weights
}
