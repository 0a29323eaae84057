//! Atomic operations on global memory, and the hardware lock that each takes.

use super::addressing::address::Root;
use super::addressing::space::Space;
use super::attribution::source_lines::SourceLines;
use super::code::Code;
use crate::ir::Opcode;
use device_sim::timing::cost::LockedOperations;
use std::collections::BTreeSet;

/// The locked operations of each block, by line. An argument's lock is its number among the arguments that
/// the function loads, by their offset in the argument block; unknown objects take the last lock.
pub fn find(code: &Code<'_>, locks: u64, lines: &mut SourceLines) -> Vec<LockedOperations> {
    let locks = u32::try_from(locks).unwrap_or(u32::MAX).max(1);
    let loads = code.instructions.iter().flatten();
    let arguments: BTreeSet<u64> = loads.filter_map(|load| code.argument(*load)).collect();
    let mut locked: Vec<LockedOperations> = Vec::new();
    for (block, instructions) in code.instructions.iter().enumerate() {
        for (position, instruction) in instructions.iter().enumerate() {
            let is_atomic =
                instruction.is(Opcode::LLVMAtomicRMW) || instruction.is(Opcode::LLVMAtomicCmpXchg);
            if !is_atomic || !matches!(code.space(instruction.operand(0)), Space::Outside(_)) {
                continue;
            }
            let lock = match code.root(instruction.operand(0)) {
                Root::Argument(offset) => arguments.range(..offset).count() as u32 % locks,
                _ => locks - 1,
            };
            let block = block as u32;
            let line = lines.at(instructions, position);
            match locked
                .iter_mut()
                .rev()
                .take_while(|known| known.block == block)
                .find(|known| known.lock == lock && known.line == line)
            {
                Some(known) => known.times += 1,
                None => locked.push(LockedOperations {
                    block,
                    lock,
                    times: 1,
                    line,
                }),
            }
        }
    }
    locked
}
