//! Properties of variables in scope: ranges of loop variables, uses of shared arrays.

use crate::ast::{Atomic, Space, VariableId};
use crate::types::{Shape, Type};

/// A loop variable with its first and last value.
#[derive(Clone, Copy)]
pub struct LoopRange {
    pub variable: VariableId,
    pub ty: Type,
    pub first: i128,
    pub last: i128,
    /// Whether all work-items of the group have the same value.
    pub uniform: bool,
}

/// The use of a shared array until the next barrier.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Mode {
    /// Each work-item accesses its own elements.
    Own,
    /// Each work-item accesses the elements of another one at this distance, modulo the size of the
    /// group.
    Rotated(usize),
    /// Each work-item accesses the elements of the one with the mirrored local id.
    Mirrored,
    /// All work-items read any elements.
    Read,
    /// Only the work-item with this linear local id accesses the array.
    Leader(usize),
    /// All work-items apply this kind of atomic to any elements.
    Atomic(Atomic),
    /// All work-items use any elements as counters.
    Counters,
    /// The joined branches use the array in different modes.
    Unusable,
}

/// An array with the same number of elements for each work-item of the group.
#[derive(Clone, PartialEq, Debug)]
pub struct SharedArray {
    /// Local or global.
    pub space: Space,
    /// The shape of an element.
    pub shape: Shape,
    /// Number of elements per work-item.
    pub each: usize,
    /// The mode since the last barrier.
    pub mode: Option<Mode>,
    /// Whether only the leader executes the current statement.
    pub leading: bool,
}
