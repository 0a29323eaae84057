//! Moves loads of a block down to their first use, which shortens the live ranges of values. LLVM
//! leaves the loads of an unrolled loop in front of its computations.

use crate::analysis::effects::{Effect, effect};
use crate::ir::{Block, Builder, Opcode, Value};
use std::collections::HashMap;

/// Moves each load of a block to its first user in it, where nothing between them writes memory.
/// A load that other blocks or φs use stays.
pub fn sink_loads(block: Block) {
    let instructions = block.instructions();
    let numbers: HashMap<Value, usize> = (instructions.iter().copied()).zip(0..).collect();
    let builder = Builder::new(block.function().ty().context());
    let mut next_write = instructions.len();
    let mut sinkable = Vec::new();
    for (number, instruction) in instructions.iter().enumerate().rev() {
        match effect(*instruction) {
            Effect::None => {}
            Effect::Write | Effect::Fence | Effect::Observable => next_write = number,
            Effect::Read if instruction.is(Opcode::LLVMLoad) => {
                let users = instruction.users();
                let place = |user: &Value| match user.is(Opcode::LLVMPHI) {
                    true => None,
                    false => numbers.get(user).copied(),
                };
                let places: Option<Vec<usize>> = users.iter().map(place).collect();
                let first = places.and_then(|places| places.into_iter().min());
                if let Some(first) =
                    first.filter(|first| number + 1 < *first && *first <= next_write)
                {
                    sinkable.push((*instruction, instructions[first]));
                }
            }
            Effect::Read => {}
        }
    }
    // In their order, so that loads with the same user keep it.
    for (load, user) in sinkable.into_iter().rev() {
        load.remove_from_block();
        builder.before(user);
        builder.insert(load);
    }
}
