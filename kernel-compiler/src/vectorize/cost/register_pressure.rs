//! Estimates how many vector registers values need.

use crate::analysis::lane_shape::Shape;
use crate::ir::{Block, DataLayout, Opcode, Type, TypeKind, Value};
use crate::vectorize::instruction_queries::components;
use crate::vectorize::plan::VectorPlan;
use crate::vectorize::vector_unit::VectorUnit;
use std::collections::HashSet;

/// The most vector registers that are live at once, taking each block by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct RegisterPressure {
    /// In loops. Outside of them LLVM reorders instructions so that fewer are live.
    pub in_loops: f64,
    /// In any block, in the instructions' present order.
    pub anywhere: f64,
}

impl RegisterPressure {
    /// The pressure in the vector code of a plan, without blocks that run seldom.
    pub fn estimate(plan: &VectorPlan<'_>) -> Self {
        let mut most = Self::default();
        for (number, block) in plan.blocks().iter().enumerate() {
            if plan.is_rare(number) {
                continue;
            }
            let innermost = plan.cfg().innermost[number];
            let live = most_live(*block, |value| plan.registers_of(value));
            most.anywhere = most.anywhere.max(live);
            if innermost.is_some() {
                most.in_loops = most.in_loops.max(live);
            }
        }
        most
    }

    /// The most registers in a block that is in a loop of the kernel but in no inner one, or in none at all.
    pub fn of_part(plan: &VectorPlan<'_>, innermost: Option<usize>) -> f64 {
        let blocks = plan.blocks().iter().enumerate();
        blocks
            .filter(|(number, _)| {
                plan.cfg().innermost[*number] == innermost && !plan.is_rare(*number)
            })
            .map(|(_, block)| most_live(*block, |value| plan.registers_of(value)))
            .fold(0.0, f64::max)
    }

    /// The larger of the pressures of two pieces of code.
    pub fn max(self, other: Self) -> Self {
        Self {
            in_loops: self.in_loops.max(other.in_loops),
            anywhere: self.anywhere.max(other.anywhere),
        }
    }
}

impl VectorPlan<'_> {
    /// Vector registers of a value.
    fn registers_of(&self, value: Value) -> f64 {
        match self.shape(value) {
            Shape::Varying => self.registers(value.ty()),
            _ => 0.0,
        }
    }

    /// Vector registers of a value of that type over all lanes.
    pub fn registers(&self, ty: Type) -> f64 {
        let bits = |part: Type| match part.kind() {
            TypeKind::LLVMIntegerTypeKind => part.integer_bits().max(8),
            TypeKind::LLVMFloatTypeKind => 32,
            TypeKind::LLVMHalfTypeKind => 16,
            _ => 64,
        };
        let parts = components(ty).unwrap_or_default();
        let registers = |part: Type| {
            let bits = f64::from(bits(part) * self.lanes());
            (bits / f64::from(self.vectors().register_bits)).max(1.0)
        };
        parts.into_iter().map(registers).sum()
    }
}

/// Vector registers of a value of vectorised code.
pub fn vector_registers(value: Value, vectors: VectorUnit, layout: DataLayout) -> f64 {
    let ty = value.ty();
    if !ty.is_vector() {
        return 0.0;
    }
    // A splat needs one register, however many lanes there are.
    if value.is_splat() {
        return 1.0;
    }
    let bits = (layout.size(ty) * 8) as f64;
    (bits / f64::from(vectors.register_bits)).ceil()
}

/// The largest sum of the sizes of values that are live at once in a block. Values used in other
/// blocks are live to the block's end.
pub fn most_live(block: Block, size: impl Fn(Value) -> f64) -> f64 {
    let instructions = block.instructions();
    let is_live_out = |value: &&Value| {
        let users = value.users();
        let mut users = users.iter();
        users.any(|user| user.block() != block || user.is(Opcode::LLVMPHI))
    };
    let mut live: HashSet<Value> = instructions.iter().filter(is_live_out).copied().collect();
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
