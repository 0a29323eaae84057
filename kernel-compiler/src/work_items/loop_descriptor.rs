//! Descriptors of the loops over work-items: formation attaches one to the backward branch of
//! each loop that it emits, as metadata, and the passes after it read what they need from there.
//!
//! Such a loop's iterations are independent, and its induction variable counts from 0 in steps
//! of 1.

use crate::ir::{
    ContextRef, Metadata, Type, Value, metadata_constant, metadata_kind, metadata_node,
};

/// What the iterations of a loop are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// The work-items of a row, which the vectoriser runs as lanes.
    WorkItems,
    /// Rows of work-items.
    Rows,
    /// Planes of rows.
    Planes,
}

impl LoopKind {
    fn metadata(self, context: ContextRef) -> u32 {
        let name = match self {
            Self::WorkItems => "mocl3.work_items",
            Self::Rows => "mocl3.rows",
            Self::Planes => "mocl3.planes",
        };
        metadata_kind(context, name)
    }
}

/// What is known of a loop over work-items beyond its instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopDescriptor {
    /// Iterations, where the local size is known.
    pub trip_count: Option<u64>,
    /// Of a loop over rows: which of the function's vectorised loops is in it.
    pub vectorized_loop: Option<u64>,
}

impl LoopDescriptor {
    /// Reads the descriptor of a loop of that kind from its backward branch.
    pub fn read(branch: Value, kind: LoopKind) -> Option<Self> {
        let kind = kind.metadata(branch.ty().context());
        let operands = branch.metadata_operands(kind)?;
        let integer = |index: usize| match operands.get(index) {
            Some(Metadata::Integer(integer)) => Some(*integer),
            _ => None,
        };
        Some(Self {
            trip_count: integer(0),
            vectorized_loop: integer(1),
        })
    }

    /// Attaches the descriptor to a backward branch.
    pub fn attach(self, branch: Value, kind: LoopKind) {
        let context = branch.ty().context();
        let constant =
            |integer: u64| metadata_constant(Type::integer(context, 64).constant(integer));
        let operands = [self.trip_count, self.vectorized_loop].map(|field| field.map(constant));
        branch.set_metadata(kind.metadata(context), metadata_node(context, &operands));
    }

    /// Removes the descriptor from a backward branch.
    pub fn detach(branch: Value, kind: LoopKind) {
        branch.remove_metadata(kind.metadata(branch.ty().context()));
    }
}
