//! How a kernel's values differ between work-items along one dimension, before there are loops over work-items.
//! An estimate: divergence is neglected, and ids have 32 bits.

use super::addressing::Addressing;
use super::lane_shape::{self, Shape, ShapeContext};
use crate::intrinsics::Query;
use crate::ir::{DataLayout, Opcode, Value};
use std::collections::HashMap;

/// The shapes of a kernel's values over work-items along one dimension, divergence neglected.
pub struct DimensionShapes {
    of: HashMap<Value, Shape>,
    context: ShapeContext,
}

impl DimensionShapes {
    /// Those over that many lanes.
    pub fn along(kernel: Value, dimension: usize, lanes: u32) -> Self {
        let instructions = kernel.instructions();
        let unknown = instructions.iter().map(|&i| (i, Shape::Unknown));
        let mut found = Self {
            of: unknown.collect(),
            context: ShapeContext {
                addressing: Addressing::compute(kernel),
                lanes,
                masked: false,
            },
        };
        loop {
            let mut changed = false;
            for &instruction in &instructions {
                let before = found.of[&instruction];
                let after = before.join(found.transfer(instruction, dimension));
                if after != before {
                    found.of.insert(instruction, after);
                    changed = true;
                }
            }
            if !changed {
                return found;
            }
        }
    }

    fn shape(&self, value: Value) -> Shape {
        self.of.get(&value).copied().unwrap_or(Shape::Uniform)
    }

    fn transfer(&self, instruction: Value, dimension: usize) -> Shape {
        match instruction.opcode() {
            // Ids are practically always below 2^31.
            Opcode::LLVMTrunc => self.shape(instruction.operand(0)),
            Opcode::LLVMAlloca => Shape::Uniform,
            _ => match instruction
                .called_function()
                .and_then(|f| Query::parse(&f.name()))
            {
                Some(Query::GlobalId | Query::LocalId) => match instruction.operand(0).as_integer()
                {
                    Some(asked) if asked == dimension as u64 => Shape::counting(1),
                    Some(_) => Shape::Uniform,
                    None => Shape::Varying,
                },
                Some(_) => Shape::Uniform,
                None => lane_shape::transfer(instruction, self.context, &|v| self.shape(v)),
            },
        }
    }

    /// By how much a value grows from lane to lane, in bytes for a pointer.
    pub fn step(&self, value: Value) -> Option<i64> {
        self.shape(value).step()
    }

    /// The layout of the kernel's module.
    pub fn layout(&self) -> DataLayout {
        self.context.addressing.layout
    }
}
