//! Properties of variables in scope: ranges of loop variables, uses of shared arrays.

use crate::ast::{Atomic, Space, VariableId};
use crate::types::{Shape, Type};

/// Variables of loops have values from the first to the last.
#[derive(Clone, Copy)]
pub struct LoopRange {
    pub variable: VariableId,
    pub ty: Type,
    pub first: i128,
    pub last: i128,
    /// All work-items of the group have the same value.
    pub uniform: bool,
}

/// How an array is used until the next barrier.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Mode {
    /// Each work-item uses its own elements.
    Own,
    /// Each uses those of another work-item; the number is the distance in work-items, modulo
    /// the group's size.
    Rotated(usize),
    /// Each uses those of its mirror image.
    Mirrored,
    /// All read any element.
    Read,
    /// Only this work-item accesses the array.
    Leader(usize),
    /// All apply this atomic to any element.
    Atomic(Atomic),
    /// All use any element as a counter.
    Counters,
    /// The branches that lead here use it in different modes.
    Unusable,
}

/// An array with as many elements for each work-item of the group.
#[derive(Clone, PartialEq, Debug)]
pub struct SharedArray {
    /// Local or global.
    pub space: Space,
    /// Of an element.
    pub shape: Shape,
    /// Elements for each work-item.
    pub each: usize,
    /// How it was used since the last barrier.
    pub mode: Option<Mode>,
    /// Whether the statement being made is for the leader alone.
    pub leading: bool,
}
