//! Conditions that hold if they hold in all active lanes of a vector: each is a `freeze` that
//! metadata mark, so that it is the condition itself to a single work-item.

use super::compact_cfg::CompactCfg;
use crate::ir::{Block, Builder, Opcode, Value, metadata_kind, metadata_node};

const METADATA: &str = "mocl3.all_lanes";

/// A version of code under a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// All active lanes pass the guard.
    AllLanes,
    /// Some of them do not.
    SomeLanes,
}

/// Whether all active lanes have a condition.
pub fn have(condition: Value, b: &Builder) -> Value {
    let all = b.freeze(condition);
    let context = condition.ty().context();
    all.set_metadata(
        metadata_kind(context, METADATA),
        metadata_node(context, &[]),
    );
    all
}

/// Whether an instruction says that all active lanes have its operand.
pub fn is_condition(instruction: Value) -> bool {
    instruction.is(Opcode::LLVMFreeze)
        && instruction
            .metadata_operands(metadata_kind(instruction.ty().context(), METADATA))
            .is_some()
}

/// By block: the version of a guard's code that it belongs to.
pub fn versions(blocks: &[Block], cfg: &CompactCfg) -> Vec<Option<Version>> {
    let mut versions: Vec<Option<Version>> = vec![None; blocks.len()];
    for number in 1..blocks.len() {
        let dominator = cfg.dominator[number];
        versions[number] =
            entered(blocks[dominator].terminator(), blocks[number]).or(versions[dominator]);
    }
    versions
}

/// The version that begins with a successor of a branch.
fn entered(branch: Value, block: Block) -> Option<Version> {
    let condition = branch.operand(0);
    let &[all, some] = branch.successors().as_slice() else {
        return None;
    };
    if !condition.is_instruction() || !is_condition(condition) {
        None
    } else if block == all {
        Some(Version::AllLanes)
    } else {
        (block == some).then_some(Version::SomeLanes)
    }
}
