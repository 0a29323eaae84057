//! What the vectoriser did with the loops over work-items, as data for remarks.

use super::access::AccessKind;
use super::instruction_queries::pointer_of;
use super::plan::VectorPlan;
use super::rejection::Rejection;
use crate::analysis::all_lanes::{self, Version};
use crate::analysis::effects::is_annotation;
use crate::intrinsics::address_space;
use crate::ir::{DataLayout, Opcode, Value};
use crate::work_items::Lanes;
use std::collections::HashSet;

/// The vectorised loops of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vectorized {
    /// The lanes.
    pub lanes: Lanes,
    /// The estimated costs, as a phrase.
    pub cost: String,
    /// The loops in the function's order.
    pub loops: Vec<VectorizedLoop>,
}

/// A kernel that is not vectorised.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejected {
    /// The reason.
    pub reason: Rejection,
    /// The rejected plan, if costing got that far.
    pub plan: Option<Vectorized>,
}

impl From<Rejection> for Rejected {
    fn from(reason: Rejection) -> Self {
        Self { reason, plan: None }
    }
}

/// A loop over the work-items of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorizedLoop {
    /// File, first and last line, where the source is known.
    pub lines: Option<(String, u32, u32)>,
    /// Rows that an iteration of the loop over rows executes, if unroll-and-jam was applied.
    pub unroll_and_jam: Option<u32>,
    /// Numbers of the work-items at which a row is split into index ranges.
    pub split_at: Vec<u64>,
    /// Branches that are divergent in some index range.
    pub divergent_branches: usize,
    /// Inner loops that lanes may leave in different iterations.
    pub divergent_loops: usize,
    /// Memory accesses and calls, each with the number of equal ones.
    pub operations: Vec<(Operation, usize)>,
}

/// A load, a store, an atomic or a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Load, store, atomic or call.
    pub kind: OperationKind,
    /// How lanes do it.
    pub access: AccessKind,
    /// The memory it accesses; none for a call.
    pub memory: Option<MemoryRegion>,
    /// File and line, where the source is known.
    pub source: Option<(String, u32)>,
}

/// What an operation is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperationKind {
    Load,
    Store,
    Atomic,
    /// Call of the function of that name; empty if the function is not known.
    Call(String),
}

/// Memory that an operation accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryRegion {
    /// The object of the pointer argument at that offset in the argument block, in bytes.
    Argument(u64),
    /// Local variables of the kernel.
    Local,
    /// Private arrays, and values that are saved across barriers.
    Private,
    /// Unknown.
    Unknown,
}

impl VectorizedLoop {
    /// Of the plans for a loop's index ranges.
    pub fn new(plans: &[VectorPlan<'_>]) -> Self {
        let lines = lines(&plans[0]);
        let mut found = Self {
            lines,
            split_at: plans[1..].iter().map(|plan| plan.range().start).collect(),
            ..Self::default()
        };
        for plan in plans {
            let blocks = blocks_of_one_version(plan);
            let divergence = plan.divergence();
            let diverges = |block: &&usize| divergence.divergent_branches[**block];
            let branches = blocks.iter().filter(diverges).count();
            let headers = plan.cfg().loops.iter().map(|l| l.header);
            let loops = headers
                .zip(&divergence.divergent_loops)
                .filter(|(header, diverges)| **diverges && blocks.contains(header))
                .count();
            found.divergent_branches = found.divergent_branches.max(branches);
            found.divergent_loops = found.divergent_loops.max(loops);
            for (operation, times) in operations(plan) {
                let known = found.operations.iter_mut().find(|(o, _)| *o == operation);
                match known {
                    // All index ranges come from the same source.
                    Some((_, known)) => *known = times.max(*known),
                    None => found.operations.push((operation, times)),
                }
            }
        }
        found
    }
}

fn lines(plan: &VectorPlan<'_>) -> Option<(String, u32, u32)> {
    let instructions = plan.blocks().iter().flat_map(|block| block.instructions());
    let sources: Vec<_> = instructions.filter_map(Value::source).collect();
    let (file, _) = sources.first()?;
    let lines = || sources.iter().filter(|s| s.0 == *file).map(|s| s.1);
    Some((file.clone(), lines().min()?, lines().max()?))
}

/// The numbers of a plan's blocks; where a guard's code has two versions, of that under masks.
fn blocks_of_one_version(plan: &VectorPlan<'_>) -> Vec<usize> {
    let versions = all_lanes::versions(plan.blocks(), plan.cfg());
    let is_counted = |block: &usize| versions[*block] != Some(Version::AllLanes);
    (0..plan.blocks().len()).filter(is_counted).collect()
}

fn operations(plan: &VectorPlan<'_>) -> Vec<(Operation, usize)> {
    let mut found: Vec<(Operation, usize)> = Vec::new();
    for number in blocks_of_one_version(plan) {
        for instruction in plan.blocks()[number].instructions() {
            let Some(operation) = operation(plan, instruction, plan.divergence().masked[number])
            else {
                continue;
            };
            match found.iter_mut().find(|(known, _)| *known == operation) {
                Some((_, times)) => *times += 1,
                None => found.push((operation, 1)),
            }
        }
    }
    found
}

fn operation(plan: &VectorPlan<'_>, instruction: Value, masked: bool) -> Option<Operation> {
    let (kind, access, pointer) = match instruction.opcode() {
        opcode @ (Opcode::LLVMLoad | Opcode::LLVMStore) => {
            let access = match plan.access_kind(instruction) {
                AccessKind::Strided(_) if masked => AccessKind::GatherScatter,
                access => access,
            };
            let is_load = opcode == Opcode::LLVMLoad;
            let kind = if is_load {
                OperationKind::Load
            } else {
                OperationKind::Store
            };
            (kind, access, Some(pointer_of(instruction)))
        }
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            let access = plan.atomic_access_kind(instruction);
            (OperationKind::Atomic, access, Some(instruction.operand(0)))
        }
        Opcode::LLVMCall => {
            let shape = plan.shape(instruction);
            let computes = shape.is_scalar() && !instruction.ty().is_void();
            if is_annotation(instruction) || computes || instruction.is_elementwise_call() {
                return None;
            }
            let function = instruction.called_function();
            let name = function.map_or_else(String::new, Value::name);
            (OperationKind::Call(name), AccessKind::Scalarized, None)
        }
        _ => return None,
    };
    let memory = pointer.map(|pointer| memory_region(plan, pointer));
    // LLVM is about to promote these variables to registers.
    if access == AccessKind::Uniform && memory == Some(MemoryRegion::Private) {
        return None;
    }
    Some(Operation {
        kind,
        access,
        memory,
        source: instruction.source(),
    })
}

/// The memory that a pointer leads to, found by tracing the pointer to its origin.
fn memory_region(plan: &VectorPlan<'_>, pointer: Value) -> MemoryRegion {
    let arguments = plan.function().parameters()[0];
    let mut seen = HashSet::new();
    let mut pending = vec![pointer];
    while let Some(value) = pending.pop() {
        if !value.is_instruction() || !seen.insert(value) {
            continue;
        }
        if let Some(offset) = argument(value, arguments, plan.layout()) {
            return MemoryRegion::Argument(offset);
        }
        match value.opcode() {
            // A `__local` argument is an offset into local memory.
            Opcode::LLVMGetElementPtr => {
                pending.push(value.operand(0));
                if value.operands().len() == 2 {
                    let index = value.operand(1);
                    if let Some(offset) = argument(index, arguments, plan.layout())
                        && value.ty().address_space() == address_space::LOCAL
                    {
                        return MemoryRegion::Argument(offset);
                    }
                }
            }
            Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze => pending.push(value.operand(0)),
            Opcode::LLVMSelect => pending.extend([value.operand(1), value.operand(2)]),
            Opcode::LLVMPHI => pending.extend(value.incoming().into_iter().map(|(v, _)| v)),
            Opcode::LLVMAlloca => return MemoryRegion::Private,
            _ => {}
        }
    }
    match pointer.ty().address_space() {
        address_space::LOCAL => MemoryRegion::Local,
        address_space::PRIVATE => MemoryRegion::Private,
        _ => MemoryRegion::Unknown,
    }
}

/// The offset of the argument that a value is loaded from.
fn argument(value: Value, arguments: Value, layout: DataLayout) -> Option<u64> {
    if !value.is_instruction() || !value.is(Opcode::LLVMLoad) {
        return None;
    }
    let from = value.operand(0);
    if from == arguments {
        return Some(0);
    }
    let is_in_block =
        from.is_instruction() && from.is(Opcode::LLVMGetElementPtr) && from.operand(0) == arguments;
    is_in_block.then(|| from.constant_offset(layout)).flatten()
}
