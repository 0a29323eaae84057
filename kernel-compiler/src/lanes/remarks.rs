//! What became of loops over work-items, for people who want to be told.

use super::access::{Way, pointer_of};
use super::body::Body;
use super::instructions::is_without_effect;
use super::width::Lanes;
use crate::intrinsics::address_space;
use crate::ir::{DataLayout, Opcode, Value};
use std::collections::HashSet;

/// Loops over work-items that run as lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widened {
    /// The lanes.
    pub lanes: Lanes,
    /// What was reckoned of the costs: a sentence.
    pub cost: String,
    /// In the function's order.
    pub loops: Vec<WidenedLoop>,
}

/// A loop over the work-items of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WidenedLoop {
    /// File, first and last line, where the source is known.
    pub lines: Option<(String, u32, u32)>,
    /// Rows that run side by side; none if they run one after another.
    pub rows: Option<u32>,
    /// Numbers of the work-items at which a row is divided into spans.
    pub divided_at: Vec<u64>,
    /// Branches that lanes may take differently.
    pub divergent_branches: usize,
    /// Loops within it that lanes may leave at different times.
    pub divergent_loops: usize,
    /// What touches memory or is called, each with how often it is there.
    pub operations: Vec<(Operation, usize)>,
}

/// A load, a store, an atomic or a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What is done.
    pub kind: Kind,
    /// How lanes do it.
    pub way: Way,
    /// Where, if in memory.
    pub place: Option<Place>,
    /// File and line, where the source is known.
    pub source: Option<(String, u32)>,
}

/// What an operation is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Load,
    Store,
    Atomic,
    /// Of a function.
    Call(String),
}

/// Memory that an operation touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// What the argument at that offset in the argument block points to, bytes.
    Argument(u64),
    /// Local memory of the kernel's own.
    Local,
    /// Private arrays and what is kept across barriers.
    Private,
    /// Not known.
    Elsewhere,
}

impl WidenedLoop {
    /// Of the bodies of a loop's spans.
    pub fn of(bodies: &[Body<'_>]) -> Self {
        let lines = lines(&bodies[0]);
        let mut found = Self {
            lines,
            divided_at: bodies[1..].iter().map(|body| body.span.first).collect(),
            ..Self::default()
        };
        let count = |marks: &[bool]| marks.iter().filter(|mark| **mark).count();
        for body in bodies {
            let (branches, loops) = (count(&body.facts.branches), count(&body.facts.loops));
            found.divergent_branches = found.divergent_branches.max(branches);
            found.divergent_loops = found.divergent_loops.max(loops);
            for (operation, times) in operations(body) {
                let known = found.operations.iter_mut().find(|(o, _)| *o == operation);
                match known {
                    // The spans' code is of the same source.
                    Some((_, known)) => *known = times.max(*known),
                    None => found.operations.push((operation, times)),
                }
            }
        }
        found
    }
}

fn lines(body: &Body<'_>) -> Option<(String, u32, u32)> {
    let instructions = body.blocks.iter().flat_map(|block| block.instructions());
    let sources: Vec<_> = instructions.filter_map(Value::source).collect();
    let (file, _) = sources.first()?;
    let lines = || sources.iter().filter(|s| s.0 == *file).map(|s| s.1);
    Some((file.clone(), lines().min()?, lines().max()?))
}

fn operations(body: &Body<'_>) -> Vec<(Operation, usize)> {
    let mut found: Vec<(Operation, usize)> = Vec::new();
    for (number, block) in body.blocks.iter().enumerate() {
        for instruction in block.instructions() {
            let Some(operation) = operation(body, instruction, body.facts.masked[number]) else {
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

fn operation(body: &Body<'_>, instruction: Value, masked: bool) -> Option<Operation> {
    let (kind, way, pointer) = match instruction.opcode() {
        opcode @ (Opcode::LLVMLoad | Opcode::LLVMStore) => {
            let way = match body.way(instruction) {
                Way::Strided(_) if masked => Way::Scattered,
                way => way,
            };
            let is_load = opcode == Opcode::LLVMLoad;
            let kind = if is_load { Kind::Load } else { Kind::Store };
            (kind, way, Some(pointer_of(instruction)))
        }
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            let way = body.way_of_atomic(instruction);
            (Kind::Atomic, way, Some(instruction.operand(0)))
        }
        Opcode::LLVMCall => {
            let shape = body.facts.of(instruction);
            let computes = shape.is_scalar() && !instruction.ty().is_void();
            if is_without_effect(instruction) || computes || instruction.is_elementwise_call() {
                return None;
            }
            let function = instruction.called_function();
            let name = function.map_or_else(String::new, Value::name);
            (Kind::Call(name), Way::InTurn, None)
        }
        _ => return None,
    };
    let place = pointer.map(|pointer| place(body, pointer));
    // Variables that LLVM is about to put into registers.
    if way == Way::Once && place == Some(Place::Private) {
        return None;
    }
    Some(Operation {
        kind,
        way,
        place,
        source: instruction.source(),
    })
}

/// Where a pointer leads, from where it comes.
fn place(body: &Body<'_>, pointer: Value) -> Place {
    let arguments = body.function.parameters()[0];
    let mut seen = HashSet::new();
    let mut pending = vec![pointer];
    while let Some(value) = pending.pop() {
        if !value.is_instruction() || !seen.insert(value) {
            continue;
        }
        if let Some(offset) = argument(value, arguments, body.layout) {
            return Place::Argument(offset);
        }
        match value.opcode() {
            // A `__local` argument is an offset into local memory.
            Opcode::LLVMGetElementPtr => {
                pending.push(value.operand(0));
                if value.operands().len() == 2 {
                    let index = value.operand(1);
                    if let Some(offset) = argument(index, arguments, body.layout)
                        && value.ty().address_space() == address_space::LOCAL
                    {
                        return Place::Argument(offset);
                    }
                }
            }
            Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze => pending.push(value.operand(0)),
            Opcode::LLVMSelect => pending.extend([value.operand(1), value.operand(2)]),
            Opcode::LLVMPHI => pending.extend(value.incoming().into_iter().map(|(v, _)| v)),
            Opcode::LLVMAlloca => return Place::Private,
            _ => {}
        }
    }
    match pointer.ty().address_space() {
        address_space::LOCAL => Place::Local,
        address_space::PRIVATE => Place::Private,
        _ => Place::Elsewhere,
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
