//! The blocks around a grid-stride loop that is to be split.

use super::recognition::{GridStrideLoop, Guard};
use crate::ir::{Block, Builder};
use crate::work_group::barrier_split::split_before;
use crate::work_group::rotated_loop::RotatedLoop;

/// The blocks around a loop that is to be split.
pub struct Surroundings {
    /// Dominates the loop; its end is executed by all work-items.
    pub before: Block,
    /// The block that `target` is entered from after the loop.
    pub last: Block,
    /// The block after the loop.
    pub target: Block,
    /// Whether `before` may branch to `target`.
    pub is_guarded: bool,
}

impl Surroundings {
    /// The blocks around the loop. One without a guard gets a block after its exit.
    pub fn find(builder: &Builder, l: &mut GridStrideLoop) -> Self {
        if let Some(Guard {
            block,
            target,
            last,
        }) = l.guard
        {
            return Self {
                before: block,
                last,
                target,
                is_guarded: true,
            };
        }
        let (preheader, exit) = (l.rotated.preheader, l.rotated.exit);
        for phi in exit.phis() {
            phi.replace_all_uses_with(RotatedLoop::incoming(phi, l.rotated.latch));
            phi.erase();
        }
        let before = split_before(builder, preheader.terminator());
        let last = split_before(builder, exit.instructions()[0]);
        l.rotated.exit = last;
        name_results(builder, l, last, exit);
        Self {
            before,
            last,
            target: exit,
            is_guarded: false,
        }
    }
}

/// Adds φs for the loop's values that are used after it to `target`, entered from `last`.
fn name_results(builder: &Builder, l: &GridStrideLoop, last: Block, target: Block) {
    let blocks = target.function().blocks().into_iter();
    let inside = blocks.filter(|block| l.rotated.blocks.contains(block));
    for value in inside.flat_map(|block| block.instructions()) {
        let mut users = value.users();
        users.retain(|user| !l.rotated.blocks.contains(&user.block()));
        if users.is_empty() {
            continue;
        }
        builder.before(target.instructions()[0]);
        let phi = builder.phi(value.ty(), &value.name());
        for user in users {
            for (index, operand) in user.operands().into_iter().enumerate() {
                if operand == value {
                    user.set_operand(index as u32, phi);
                }
            }
        }
        phi.add_incoming(value, last);
    }
}
