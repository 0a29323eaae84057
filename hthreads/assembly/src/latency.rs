//! When a result can be used.

use crate::operand::Operand;
use crate::program::Instruction;
use crate::table::Action;

/// Cycles from the issue of an instruction to the first use of its result.
pub fn of(instruction: &Instruction) -> u8 {
    let mnemonic = instruction.mnemonic;
    match (mnemonic.action, instruction.operands.as_slice()) {
        (Action::AddAddress | Action::SubtractAddress, [.., Operand::Address(register)]) => {
            if register.is_vector() {
                3
            } else {
                2
            }
        }
        (Action::ToControl, [.., Operand::Control(register)]) => register.write_latency(),
        (Action::ToControl, _) => 3,
        (Action::FromControl, [Operand::Control(register), _]) => register.read_latency(),
        (Action::FromControl, _) => 2,
        _ => mnemonic.latency,
    }
}
