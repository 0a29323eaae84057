//! Accesses that atomic operations may order. OpenCL 1.2 does not say when they do, but programs
//! take locks, or have the last group combine what the others have written. What can be reached from
//! a branch on the result of an atomic operation is no race.

use crate::check::provenance::{Provenance, Root};
use crate::intrinsics::address_space;
use crate::ir::{Block, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// Whether an access is an atomic one. Programs use volatile global memory as such; volatile local
/// memory hides missing barriers.
pub fn is_atomic(instruction: Value, pointer: Value) -> bool {
    let is_global = pointer.ty().address_space() == address_space::GLOBAL;
    instruction.is_atomic() || is_global && instruction.is_volatile()
}

/// The blocks of a kernel that such a branch leads to.
pub struct OrderedAccesses {
    blocks: HashSet<Block>,
}

impl OrderedAccesses {
    pub fn compute(provenance: &Provenance<'_>) -> Self {
        let results = results_of_atomics(provenance);
        let mut blocks = HashSet::new();
        let mut pending: Vec<Block> = results
            .into_iter()
            .filter(|value| value.is_terminator())
            .flat_map(|branch| branch.successors())
            .collect();
        while let Some(block) = pending.pop() {
            if blocks.insert(block) {
                pending.extend(block.successors());
            }
        }
        Self { blocks }
    }

    /// Whether atomic operations may order an access after those of others.
    pub fn contains(&self, instruction: Value) -> bool {
        self.blocks.contains(&instruction.block())
    }
}

/// All instructions that depend on results of atomic operations, also through variables of local
/// and private memory.
fn results_of_atomics(provenance: &Provenance<'_>) -> HashSet<Value> {
    let instructions = provenance.kernel.instructions();
    let is_source = |value: &&Value| {
        matches!(
            value.opcode(),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg
        ) || value.is(Opcode::LLVMLoad) && is_atomic(**value, value.operand(0))
    };
    let mut loads: HashMap<Value, Vec<Value>> = HashMap::new();
    for load in instructions.iter().filter(|i| i.is(Opcode::LLVMLoad)) {
        for variable in variables(provenance, load.operand(0)) {
            loads.entry(variable).or_default().push(*load);
        }
    }
    let mut pending: Vec<Value> = instructions.iter().filter(is_source).copied().collect();
    let mut found = HashSet::new();
    while let Some(value) = pending.pop() {
        if !found.insert(value) {
            continue;
        }
        if value.is(Opcode::LLVMStore) {
            for variable in variables(provenance, value.operand(1)) {
                // The loads of a variable need to be followed once.
                pending.extend(loads.remove(&variable).unwrap_or_default());
            }
        } else {
            pending.extend(value.users());
        }
    }
    found
}

/// The variables of local and private memory that a pointer may lead into.
fn variables(provenance: &Provenance<'_>, pointer: Value) -> Vec<Value> {
    let roots = provenance.roots(pointer).into_iter();
    roots
        .filter_map(|root| match root {
            Root::Variable(variable) => Some(variable),
            _ => None,
        })
        .collect()
}
