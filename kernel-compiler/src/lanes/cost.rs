//! What a loop over work-items costs, one after another and as lanes: processor cycles, as
//! far as they can be told without knowing how often its loops run.

use super::VectorUnit;
use super::access::{Way, accessed};
use super::body::Body;
use super::divide;
use super::instructions::is_without_effect;
use super::shape::Shape;
use super::values::components;
use crate::ir::{Block, DataLayout, Opcode, Type, TypeKind, Value};
use crate::work_group::nonatomic_local;
use std::collections::HashSet;
use std::fmt;

/// How often a loop is taken to run.
pub const ROUNDS: f64 = 8.0;

/// Work-items of a row whose length is not known.
const ROW: u64 = 64;

/// How much longer a group of lanes stays in a loop than its work-items do on average.
const WAITING: f64 = 1.4;

/// Share of work-items that take a way which not all of them take.
const TAKEN: f64 = 0.5;

/// A branch that the processor cannot foresee, on average.
const UNFORESEEN: f64 = 4.0;

/// The end of a loop, once each time it is run: before that, going on is foreseen.
const UNFORESEEN_END: f64 = 2.0 * UNFORESEEN;

/// A lane's part of a gather or a scatter by one instruction. These take 0.8 cycles a lane or
/// more, in the time of which a processor does four ordinary instructions, each reckoned as one.
const GATHERED: f64 = 3.4;

/// An atomic operation that other threads may see.
const LOCKED: f64 = 18.0;

/// A load of what was stored just before, an operation and a store.
const FORWARDED: f64 = 5.0;

/// A call of the C library.
const CALL: f64 = 20.0;

/// Cycles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Work-items one after another.
    pub in_turn: f64,
    /// In lanes.
    pub lanes: f64,
    /// Instructions written for lanes.
    pub length: f64,
}

impl Cost {
    /// Of one after the other.
    pub fn and(self, other: Self) -> Self {
        Self {
            in_turn: self.in_turn + other.in_turn,
            lanes: self.lanes + other.lanes,
            length: self.length + other.length,
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { in_turn, lanes, .. } = self;
        write!(
            f,
            "{lanes:.0} cycles for a row in lanes, {in_turn:.0} in turn"
        )
    }
}

/// Of the work-items of a body's span.
pub fn of(body: &Body<'_>) -> Cost {
    let first = body.span.first;
    let items = body.span.end.map_or(ROW, |end| end - first);
    let groups = items.div_ceil(u64::from(body.lanes));
    let mut item = 0.0;
    let mut group = 0.0;
    let mut length = 0.0;
    for (number, block) in body.blocks.iter().enumerate() {
        let (mut times, mut lanes_times) = (1.0, 1.0);
        let mut around = body.flow.innermost[number];
        while let Some(l) = around {
            times *= ROUNDS;
            lanes_times *= if body.facts.loops[l] {
                ROUNDS * WAITING
            } else {
                ROUNDS
            };
            around = body.flow.loops[l].parent;
        }
        let divergent_loop = body.flow.innermost[number].is_some_and(|l| body.facts.loops[l]);
        if body.facts.masked[number] && !divergent_loop {
            times *= TAKEN;
        }
        for instruction in block.instructions() {
            if is_without_effect(instruction) {
                continue;
            }
            let once = in_turn(instruction);
            let of_group = body.of_instruction(instruction, once, number);
            item += times * once;
            group += lanes_times * of_group;
            length += of_group;
        }
        if body.facts.branches[number] {
            let left =
                body.flow.innermost[number].filter(|&l| body.flow.loops[l].is_left_from(number));
            let (penalty, rounds) = match left {
                Some(_) => (UNFORESEEN_END, ROUNDS),
                None => (UNFORESEEN, 1.0),
            };
            item += times * penalty / rounds;
            let waiting = if divergent_loop && left.is_some() {
                WAITING
            } else {
                1.0
            };
            group += lanes_times * penalty / (rounds * waiting);
        }
    }
    Cost {
        in_turn: item * items as f64,
        lanes: group * groups as f64,
        // Whole groups, and those at the end of a row.
        length: match body.span.end {
            Some(end) if end % u64::from(body.lanes) == 0 => length,
            Some(end) if end < u64::from(body.lanes) => length,
            _ => 2.0 * length,
        },
    }
}

/// Vector registers that a body's values need at once, where they need most, as far as blocks tell
/// one by one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Registers {
    /// In its loops. What is no loop LLVM puts into an order that needs few.
    pub in_loops: f64,
    /// In loops or out of them, in the order that is there.
    pub anywhere: f64,
}

impl Registers {
    /// Of a body.
    pub fn of(body: &Body<'_>) -> Self {
        let size = |value: Value| match body.facts.of(value) {
            Shape::Varying => body.registers(value.ty()),
            _ => 0.0,
        };
        let mut most = Self::default();
        for (block, innermost) in body.blocks.iter().zip(&body.flow.innermost) {
            let needed = needed_at_once(*block, size);
            most.anywhere = most.anywhere.max(needed);
            if innermost.is_some() {
                most.in_loops = most.in_loops.max(needed);
            }
        }
        most
    }

    /// What several bodies need.
    pub fn or(self, other: Self) -> Self {
        Self {
            in_loops: self.in_loops.max(other.in_loops),
            anywhere: self.anywhere.max(other.anywhere),
        }
    }
}

/// Vector registers of a value as LLVM has it.
pub fn vector_registers(value: Value, vectors: VectorUnit, layout: DataLayout) -> f64 {
    let ty = value.ty();
    if !ty.is_vector() {
        return 0.0;
    }
    // What is the same in all lanes takes one, whatever the lanes are.
    let is_splat = value.is(Opcode::LLVMShuffleVector)
        && value.shuffle_mask().iter().all(|from| *from == Some(0));
    if is_splat {
        return 1.0;
    }
    let bits = (layout.size(ty) * 8) as f64;
    (bits / f64::from(vectors.register_bits)).ceil()
}

/// What the values take that are needed at once in a block, where that is most; what other
/// blocks use is needed to its end.
pub fn needed_at_once(block: Block, size: impl Fn(Value) -> f64) -> f64 {
    let instructions = block.instructions();
    let used_later = |value: &&Value| {
        let users = value.users();
        let mut users = users.iter();
        users.any(|user| user.block() != block || user.is(Opcode::LLVMPHI))
    };
    let mut live: HashSet<Value> = instructions.iter().filter(used_later).copied().collect();
    let mut needed: f64 = live.iter().map(|value| size(*value)).sum();
    let mut most = needed;
    for instruction in instructions.iter().rev() {
        if live.remove(instruction) {
            needed -= size(*instruction);
        }
        if instruction.is(Opcode::LLVMPHI) {
            continue;
        }
        for operand in instruction.operands() {
            if operand.is_instruction() && live.insert(operand) {
                needed += size(operand);
            }
        }
        most = most.max(needed);
    }
    most
}

/// One work-item's.
fn in_turn(instruction: Value) -> f64 {
    match instruction.opcode() {
        Opcode::LLVMPHI | Opcode::LLVMFreeze | Opcode::LLVMBitCast => 0.0,
        // Addresses are part of accesses, as a rule.
        Opcode::LLVMGetElementPtr
        | Opcode::LLVMZExt
        | Opcode::LLVMSExt
        | Opcode::LLVMTrunc
        | Opcode::LLVMAddrSpaceCast => 0.5,
        Opcode::LLVMFDiv => 4.0 * parts(instruction.ty()),
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
            12.0 * parts(instruction.ty())
        }
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            if nonatomic_local::is_on_local_memory(instruction) {
                FORWARDED
            } else {
                LOCKED
            }
        }
        Opcode::LLVMCall => match call(instruction) {
            CALL => CALL * parts(instruction.ty()),
            cheap => cheap * parts(instruction.ty()).div_euclid(8.0).max(1.0),
        },
        // An OpenCL vector fits into one or two registers.
        _ => parts(instruction.ty()).div_euclid(8.0).max(1.0),
    }
}

/// A call, for each component.
fn call(instruction: Value) -> f64 {
    const CHEAP: &[&str] = &[
        "llvm.f",
        "llvm.m",
        "llvm.s",
        "llvm.u",
        "llvm.copysign",
        "llvm.ceil",
        "llvm.rint",
        "llvm.trunc",
        "llvm.nearbyint",
        "llvm.round",
        "llvm.ctpop",
        "llvm.ctlz",
        "llvm.cttz",
        "llvm.fsh",
        "llvm.bswap",
        "llvm.abs",
    ];
    let name = instruction.called_function().map(Value::name);
    match name {
        Some(name) if name.starts_with("llvm.sqrt") => 5.0,
        Some(name) if name.starts_with("llvm.sin") => CALL,
        Some(name) if CHEAP.iter().any(|start| name.starts_with(start)) => 1.0,
        _ => CALL,
    }
}

fn parts(ty: Type) -> f64 {
    components(ty).map_or(1.0, |parts| parts.len() as f64)
}

impl Body<'_> {
    /// For a group of lanes, where one work-item's is `in_turn`.
    fn of_instruction(&self, instruction: Value, in_turn: f64, block: usize) -> f64 {
        let masked = self.facts.masked[block];
        let lanes = f64::from(self.lanes);
        match instruction.opcode() {
            Opcode::LLVMLoad | Opcode::LLVMStore => self.of_access(instruction, masked),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                match self.way_of_atomic(instruction) {
                    Way::Combined => {
                        let registers = self.registers(instruction.operand(1).ty());
                        in_turn + self.cost_of_combining(instruction, registers)
                    }
                    _ => self.per_lane(instruction, in_turn),
                }
            }
            Opcode::LLVMBr => 1.0,
            _ if self.facts.of(instruction).is_scalar() => in_turn,
            Opcode::LLVMCall if !instruction.is_elementwise_call() => {
                self.per_lane(instruction, in_turn)
            }
            _ if divide::is_by_doubles(instruction) => {
                let each = if self.facts.of(instruction.operand(1)).is_uniform() {
                    10.0
                } else {
                    26.0
                };
                each * self.registers(instruction.ty())
            }
            // There are no vector forms of these.
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
                in_turn * lanes * 1.1
            }
            Opcode::LLVMCall if in_turn >= CALL => in_turn * lanes,
            Opcode::LLVMPHI => self.registers(instruction.ty()),
            // Components are apart already.
            Opcode::LLVMExtractElement
            | Opcode::LLVMInsertElement
            | Opcode::LLVMShuffleVector
            | Opcode::LLVMExtractValue
            | Opcode::LLVMInsertValue => 0.0,
            _ => in_turn.max(1.0) * self.registers(self.computed(instruction)),
        }
    }

    /// The type that tells how many registers a computation uses.
    fn computed(&self, instruction: Value) -> Type {
        match instruction.opcode() {
            Opcode::LLVMICmp | Opcode::LLVMFCmp => instruction.operand(0).ty(),
            _ => instruction.ty(),
        }
    }

    fn of_access(&self, access: Value, masked: bool) -> f64 {
        let is_store = access.is(Opcode::LLVMStore);
        let ty = accessed(access);
        let lanes = f64::from(self.lanes);
        let each = if is_store { 2.0 } else { 1.5 };
        match self.way(access) {
            Way::Once => 1.0,
            Way::Combined | Way::InTurn => self.per_lane(access, each),
            Way::Consecutive => {
                // Shuffled apart, or together.
                let taken_apart = 1.2 * parts(ty).log2();
                let mask = match (masked, is_store) {
                    (false, _) => 0.0,
                    (true, false) => 0.5,
                    (true, true) => 2.0,
                };
                self.registers(ty) * (1.0 + taken_apart + mask)
            }
            Way::Strided(_) if !masked => lanes * parts(ty).min(2.0) * each,
            _ if self.vectors.gathers => lanes * parts(ty) * GATHERED,
            _ => {
                let mask = match (masked, is_store) {
                    (false, _) => 0.5,
                    (true, false) => 1.5,
                    (true, true) => 2.0,
                };
                lanes * parts(ty).min(2.0) * (each + mask)
            }
        }
    }

    fn per_lane(&self, instruction: Value, in_turn: f64) -> f64 {
        let varying = instruction
            .operands()
            .into_iter()
            .filter(|operand| !operand.is_function() && !self.facts.of(*operand).is_uniform());
        f64::from(self.lanes) * (in_turn + 7.0 + 2.0 * varying.count() as f64)
    }

    /// Vector registers of a value's lanes.
    fn registers(&self, ty: Type) -> f64 {
        let bits = |part: Type| match part.kind() {
            TypeKind::LLVMIntegerTypeKind => part.integer_bits().max(8),
            TypeKind::LLVMFloatTypeKind => 32,
            TypeKind::LLVMHalfTypeKind => 16,
            _ => 64,
        };
        let parts = components(ty).unwrap_or_default();
        let registers = |part: Type| {
            (f64::from(bits(part) * self.lanes) / f64::from(self.vectors.register_bits)).max(1.0)
        };
        parts.into_iter().map(registers).sum()
    }
}
