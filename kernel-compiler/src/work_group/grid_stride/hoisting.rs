//! Computes what the group needs to know of a loop before the loop.

use super::counter::{MAX_DEPTH, query, starts_with_id};
use super::queries::Queries;
use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::Dominators;
use crate::intrinsics::Query;
use crate::ir::{Block, Builder, Value};

/// Computes values at the end of a block.
pub struct Hoisting<'a> {
    builder: &'a Builder,
    queries: &'a Queries,
    block: Block,
    cfg: Cfg,
    dominators: Dominators,
}

impl<'a> Hoisting<'a> {
    pub fn new(builder: &'a Builder, queries: &'a Queries, block: Block) -> Self {
        let cfg = Cfg::compute(block.function());
        builder.before(block.terminator());
        Self {
            builder,
            queries,
            block,
            dominators: Dominators::compute(&cfg.graph),
            cfg,
        }
    }

    /// Computes a value at the end of the block, unless it is known there.
    pub fn hoist(&self, value: Value) -> Value {
        self.copy_unless(value, &|value| self.is_known(value), &|_| None)
    }

    /// Copies what a value is computed from, except values that are `known`, and `replaced` ones.
    fn copy_unless(
        &self,
        value: Value,
        is_known: &dyn Fn(Value) -> bool,
        replaced: &dyn Fn(Value) -> Option<Value>,
    ) -> Value {
        if let Some(replacement) = replaced(value) {
            return replacement;
        }
        if is_known(value) {
            return value;
        }
        let operands = value.operands();
        let operands: Vec<Value> = operands
            .into_iter()
            .map(|operand| self.copy_unless(operand, is_known, replaced))
            .collect();
        let copy = value.clone_instruction();
        for (index, operand) in operands.into_iter().enumerate() {
            copy.set_operand(index as u32, operand);
        }
        self.builder.insert(copy);
        copy
    }

    /// The start of the counter for the first work-item of the group.
    pub fn first_of_group(&self, first: Value) -> Value {
        let is_known = |value| self.is_known(value) && !starts_with_id(value, MAX_DEPTH);
        self.copy_unless(first, &is_known, &|value| match query(value)? {
            (Query::LocalId, _) => Some(value.ty().constant(0)),
            (Query::GlobalId, dimension) => Some(self.first_global_id(dimension)),
            _ => None,
        })
    }

    fn first_global_id(&self, dimension: u64) -> Value {
        let b = self.builder;
        let [group, offset] = ["group_id", "global_offset"]
            .map(|name| self.queries.call(self.builder, name, dimension));
        let size = self.queries.local_size(dimension);
        b.add(b.multiply(group, b.i64().constant(size)), offset)
    }

    /// Whether a value is known at the end of the block.
    fn is_known(&self, value: Value) -> bool {
        let number = |block| self.cfg.number(block);
        let dominates = |from| self.dominators.dominates(number(from), number(self.block));
        !value.is_instruction() || dominates(value.block())
    }
}
