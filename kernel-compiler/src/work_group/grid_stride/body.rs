//! Copies of a loop's body.

use super::recognition::GridStrideLoop;
use crate::ir::{Block, Builder, Opcode, Value};
use std::collections::HashMap;

/// A copy of a loop's body, for one iteration.
pub struct BodyCopy<'a> {
    builder: &'a Builder,
    original: &'a GridStrideLoop,
    /// Copies of the loop's values.
    values: HashMap<Value, Value>,
    /// The counter's parts: its value for the group's first work-item, and the local id in 64 bits.
    parts: Option<(Value, Value)>,
}

impl<'a> BodyCopy<'a> {
    pub fn new(builder: &'a Builder, original: &'a GridStrideLoop) -> Self {
        Self {
            builder,
            original,
            values: HashMap::new(),
            parts: None,
        }
    }

    /// The copy reads `copy` for `value`.
    pub fn set(&mut self, value: Value, copy: Value) {
        self.values.insert(value, copy);
    }

    /// The counter is the sum of `base` and the local id `id`, which does not wrap.
    pub fn set_counter(&mut self, counter: Value, base: Value, id: Value) {
        if self.original.comparison.signed {
            counter.set_no_signed_wrap();
        } else {
            counter.set_no_unsigned_wrap();
        }
        self.set(self.original.counter, counter);
        self.parts = Some((base, id));
    }

    /// The copy of a value; itself if it is not of the loop.
    pub fn get(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// Writes the body behind what `header` contains. Gives the block that the latch becomes,
    /// without a terminator.
    pub fn write(&mut self, header: Block) -> Block {
        let b = self.builder;
        let l = &self.original.rotated;
        let mut blocks = header.function().blocks();
        blocks.retain(|block| l.blocks.contains(block));
        let copies: HashMap<Block, Block> = blocks
            .iter()
            .map(|block| {
                let copy = if *block == l.header {
                    header
                } else {
                    l.header.insert_before(&block.name())
                };
                (*block, copy)
            })
            .collect();
        let mut pending = Vec::new();
        b.at_end(header);
        for instruction in self.original.repeated() {
            pending.push(self.copy(instruction));
        }
        for block in &blocks {
            b.at_end(copies[block]);
            for instruction in block.instructions() {
                let is_header_phi = *block == l.header && instruction.is(Opcode::LLVMPHI);
                let is_back_edge = *block == l.latch && instruction.is_terminator();
                if !is_header_phi && !is_back_edge {
                    pending.push(self.copy(instruction));
                }
            }
        }
        for (original, copy) in pending.into_iter().flatten() {
            self.connect(original, copy, &copies);
        }
        copies[&l.latch]
    }

    /// Copies an instruction, still with its operands; none if it has been replaced.
    fn copy(&mut self, instruction: Value) -> Option<(Value, Value)> {
        if let Some(extended) = self.extended_counter(instruction) {
            self.set(instruction, extended);
            return None;
        }
        let b = self.builder;
        let copy = if instruction.is(Opcode::LLVMPHI) {
            b.phi(instruction.ty(), &instruction.name())
        } else {
            let copy = instruction.clone_instruction();
            b.insert(copy);
            copy
        };
        self.set(instruction, copy);
        Some((instruction, copy))
    }

    /// The counter in 64 bits as a sum, whose stride across work-items is known.
    fn extended_counter(&self, extension: Value) -> Option<Value> {
        let extends = if self.original.comparison.signed {
            Opcode::LLVMSExt
        } else {
            Opcode::LLVMZExt
        };
        let (base, id) = self.parts?;
        if !extension.is(extends)
            || extension.operand(0) != self.original.counter
            || extension.ty() != id.ty()
        {
            return None;
        }
        let b = self.builder;
        let sum = b.add(b.cast(extends, base, id.ty()), id);
        sum.set_no_signed_wrap();
        Some(sum)
    }

    fn connect(&self, original: Value, copy: Value, blocks: &HashMap<Block, Block>) {
        if original.is(Opcode::LLVMPHI) {
            for (value, from) in original.incoming() {
                copy.add_incoming(self.get(value), blocks[&from]);
            }
            return;
        }
        for (index, operand) in original.operands().into_iter().enumerate() {
            if let Some(value) = self.values.get(&operand) {
                copy.set_operand(index as u32, *value);
            }
        }
        if original.is_terminator() {
            for (index, to) in original.successors().into_iter().enumerate() {
                copy.set_successor(index as u32, blocks[&to]);
            }
        }
    }
}
