//! What a loop over work-items costs, one after another and as lanes: processor cycles, as
//! far as they can be told without knowing how often its loops run.

use super::VectorUnit;
use super::access::{AccessKind, accessed};
use super::integer_division;
use super::plan::VectorPlan;
use super::values::components;
use crate::analysis::effects::is_annotation;
use crate::analysis::lane_shape::Shape;
use crate::ir::{Block, DataLayout, Opcode, Type, TypeKind, Value};
use crate::work_group::nonatomic_local;
use std::collections::HashSet;
use std::fmt;

/// How often a loop is taken to run.
pub const ASSUMED_TRIP_COUNT: f64 = 8.0;

/// Work-items of a row whose length is not known.
const ASSUMED_ROW_LENGTH: u64 = 64;

/// How much longer a group of lanes stays in a loop than its work-items do on average.
const DIVERGENCE_FACTOR: f64 = 1.4;

/// Share of work-items that take a way which not all of them take.
const BRANCH_PROBABILITY: f64 = 0.5;

/// A branch that the processor cannot foresee, on average.
const MISPREDICT_COST: f64 = 4.0;

/// The end of a loop, once each time it is run: before that, going on is foreseen.
const LOOP_EXIT_MISPREDICT_COST: f64 = 2.0 * MISPREDICT_COST;

/// A lane's part of a gather or a scatter by one instruction. These take 0.8 cycles a lane or
/// more, in the time of which a processor does four ordinary instructions, each reckoned as one.
const GATHER_COST_PER_LANE: f64 = 3.4;

/// An atomic operation that other threads may see.
const LOCKED_ATOMIC_COST: f64 = 18.0;

/// A load of what was stored just before, an operation and a store.
const LOCAL_ATOMIC_COST: f64 = 5.0;

/// A call of the C library.
const LIBRARY_CALL_COST: f64 = 20.0;

/// Cycles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Work-items one after another.
    pub scalar: f64,
    /// In lanes.
    pub vector: f64,
    /// Instructions written for lanes.
    pub instructions: f64,
}

impl Cost {
    /// Of one after the other.
    pub fn plus(self, other: Self) -> Self {
        Self {
            scalar: self.scalar + other.scalar,
            vector: self.vector + other.vector,
            instructions: self.instructions + other.instructions,
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scalar, vector, .. } = self;
        write!(
            f,
            "{vector:.0} cycles for a row in lanes, {scalar:.0} in turn"
        )
    }
}

/// Of the work-items of a body's range.
pub fn of_plan(plan: &VectorPlan<'_>) -> Cost {
    let first = plan.range.start;
    let items = plan.range.end.map_or(ASSUMED_ROW_LENGTH, |end| end - first);
    let groups = items.div_ceil(u64::from(plan.lanes));
    let mut item = 0.0;
    let mut group = 0.0;
    let mut length = 0.0;
    for (number, block) in plan.blocks.iter().enumerate() {
        let (mut times, mut lanes_times) = (1.0, 1.0);
        let mut around = plan.cfg.innermost[number];
        while let Some(l) = around {
            times *= ASSUMED_TRIP_COUNT;
            lanes_times *= if plan.divergence.divergent_loops[l] {
                ASSUMED_TRIP_COUNT * DIVERGENCE_FACTOR
            } else {
                ASSUMED_TRIP_COUNT
            };
            around = plan.cfg.loops[l].parent;
        }
        let divergent_loop =
            plan.cfg.innermost[number].is_some_and(|l| plan.divergence.divergent_loops[l]);
        if plan.divergence.masked[number] && !divergent_loop {
            times *= BRANCH_PROBABILITY;
        }
        for instruction in block.instructions() {
            if is_annotation(instruction) {
                continue;
            }
            let once = scalar_cost(instruction);
            let of_group = plan.instruction_cost(instruction, once, number);
            item += times * once;
            group += lanes_times * of_group;
            length += of_group;
        }
        if plan.divergence.divergent_branches[number] {
            let left = plan.cfg.innermost[number].filter(|&l| plan.cfg.loops[l].exits_from(number));
            let (penalty, rounds) = match left {
                Some(_) => (LOOP_EXIT_MISPREDICT_COST, ASSUMED_TRIP_COUNT),
                None => (MISPREDICT_COST, 1.0),
            };
            item += times * penalty / rounds;
            let waiting = if divergent_loop && left.is_some() {
                DIVERGENCE_FACTOR
            } else {
                1.0
            };
            group += lanes_times * penalty / (rounds * waiting);
        }
    }
    Cost {
        scalar: item * items as f64,
        vector: group * groups as f64,
        // Whole groups, and those at the end of a row.
        instructions: match plan.range.end {
            Some(end) if end % u64::from(plan.lanes) == 0 => length,
            Some(end) if end < u64::from(plan.lanes) => length,
            _ => 2.0 * length,
        },
    }
}

/// Vector registers that a body's values need at once, where they need most, as far as blocks tell
/// one by one.
#[derive(Clone, Copy, Debug, Default)]
pub struct RegisterPressure {
    /// In its loops. What is no loop LLVM puts into an order that needs few.
    pub in_loops: f64,
    /// In loops or out of them, in the order that is there.
    pub anywhere: f64,
}

impl RegisterPressure {
    /// Of a body.
    pub fn of(plan: &VectorPlan<'_>) -> Self {
        let size = |value: Value| match plan.divergence.of(value) {
            Shape::Varying => plan.registers(value.ty()),
            _ => 0.0,
        };
        let mut most = Self::default();
        for (block, innermost) in plan.blocks.iter().zip(&plan.cfg.innermost) {
            let needed = register_pressure(*block, size);
            most.anywhere = most.anywhere.max(needed);
            if innermost.is_some() {
                most.in_loops = most.in_loops.max(needed);
            }
        }
        most
    }

    /// What several bodies need.
    pub fn max(self, other: Self) -> Self {
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
pub fn register_pressure(block: Block, size: impl Fn(Value) -> f64) -> f64 {
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
fn scalar_cost(instruction: Value) -> f64 {
    match instruction.opcode() {
        Opcode::LLVMPHI | Opcode::LLVMFreeze | Opcode::LLVMBitCast => 0.0,
        // Addresses are part of accesses, as a rule.
        Opcode::LLVMGetElementPtr
        | Opcode::LLVMZExt
        | Opcode::LLVMSExt
        | Opcode::LLVMTrunc
        | Opcode::LLVMAddrSpaceCast => 0.5,
        Opcode::LLVMFDiv => 4.0 * component_count(instruction.ty()),
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
            12.0 * component_count(instruction.ty())
        }
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            if nonatomic_local::is_on_local_memory(instruction) {
                LOCAL_ATOMIC_COST
            } else {
                LOCKED_ATOMIC_COST
            }
        }
        Opcode::LLVMCall => match call_cost(instruction) {
            LIBRARY_CALL_COST => LIBRARY_CALL_COST * component_count(instruction.ty()),
            cheap => cheap * component_count(instruction.ty()).div_euclid(8.0).max(1.0),
        },
        // An OpenCL vector fits into one or two registers.
        _ => component_count(instruction.ty()).div_euclid(8.0).max(1.0),
    }
}

/// A call, for each component.
fn call_cost(instruction: Value) -> f64 {
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
        Some(name) if name.starts_with("llvm.sin") => LIBRARY_CALL_COST,
        Some(name) if CHEAP.iter().any(|start| name.starts_with(start)) => 1.0,
        _ => LIBRARY_CALL_COST,
    }
}

fn component_count(ty: Type) -> f64 {
    components(ty).map_or(1.0, |parts| parts.len() as f64)
}

impl VectorPlan<'_> {
    /// For a group of lanes, where one work-item's is `scalar`.
    fn instruction_cost(&self, instruction: Value, scalar: f64, block: usize) -> f64 {
        let masked = self.divergence.masked[block];
        let lanes = f64::from(self.lanes);
        match instruction.opcode() {
            Opcode::LLVMLoad | Opcode::LLVMStore => self.access_cost(instruction, masked),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                match self.atomic_access_kind(instruction) {
                    AccessKind::UniformAtomic => {
                        let registers = self.registers(instruction.operand(1).ty());
                        scalar + self.reduction_cost(instruction, registers)
                    }
                    _ => self.scalarized_cost(instruction, scalar),
                }
            }
            Opcode::LLVMBr => 1.0,
            _ if self.divergence.of(instruction).is_scalar() => scalar,
            Opcode::LLVMCall if !instruction.is_elementwise_call() => {
                self.scalarized_cost(instruction, scalar)
            }
            _ if integer_division::uses_double_division(instruction) => {
                let each = if self.divergence.of(instruction.operand(1)).is_uniform() {
                    10.0
                } else {
                    26.0
                };
                each * self.registers(instruction.ty())
            }
            // There are no vector forms of these.
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
                scalar * lanes * 1.1
            }
            Opcode::LLVMCall if scalar >= LIBRARY_CALL_COST => scalar * lanes,
            Opcode::LLVMPHI => self.registers(instruction.ty()),
            // Components are apart already.
            Opcode::LLVMExtractElement
            | Opcode::LLVMInsertElement
            | Opcode::LLVMShuffleVector
            | Opcode::LLVMExtractValue
            | Opcode::LLVMInsertValue => 0.0,
            _ => scalar.max(1.0) * self.registers(self.computed(instruction)),
        }
    }

    /// The type that tells how many registers a computation uses.
    fn computed(&self, instruction: Value) -> Type {
        match instruction.opcode() {
            Opcode::LLVMICmp | Opcode::LLVMFCmp => instruction.operand(0).ty(),
            _ => instruction.ty(),
        }
    }

    fn access_cost(&self, access: Value, masked: bool) -> f64 {
        let is_store = access.is(Opcode::LLVMStore);
        let ty = accessed(access);
        let lanes = f64::from(self.lanes);
        let each = if is_store { 2.0 } else { 1.5 };
        match self.access_kind(access) {
            AccessKind::Uniform => 1.0,
            AccessKind::UniformAtomic | AccessKind::Scalarized => {
                self.scalarized_cost(access, each)
            }
            AccessKind::Consecutive => {
                // Shuffled apart, or together.
                let taken_apart = 1.2 * component_count(ty).log2();
                let mask = match (masked, is_store) {
                    (false, _) => 0.0,
                    (true, false) => 0.5,
                    (true, true) => 2.0,
                };
                self.registers(ty) * (1.0 + taken_apart + mask)
            }
            AccessKind::Strided(_) if !masked => lanes * component_count(ty).min(2.0) * each,
            _ if self.vectors.gathers => lanes * component_count(ty) * GATHER_COST_PER_LANE,
            _ => {
                let mask = match (masked, is_store) {
                    (false, _) => 0.5,
                    (true, false) => 1.5,
                    (true, true) => 2.0,
                };
                lanes * component_count(ty).min(2.0) * (each + mask)
            }
        }
    }

    fn scalarized_cost(&self, instruction: Value, scalar: f64) -> f64 {
        let varying = instruction
            .operands()
            .into_iter()
            .filter(|operand| !operand.is_function() && !self.divergence.of(*operand).is_uniform());
        f64::from(self.lanes) * (scalar + 7.0 + 2.0 * varying.count() as f64)
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
