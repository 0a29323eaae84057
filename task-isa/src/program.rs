//! A program of the scheduler.

use crate::instruction::Instruction;

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Its instructions.
    pub instructions: Vec<Instruction>,
    /// The values that branches read: no part of the encoded program, for simulations that compute no
    /// data.
    pub reads: Vec<Reads>,
    /// The line of each instruction in the source, from 1; empty of decoded programs.
    pub lines: Vec<usize>,
}

/// The values that branches read in a memory region, one after the other in program order; the last
/// one from then on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reads {
    /// The region.
    pub region: u16,
    /// The values; at least one.
    pub values: Vec<u64>,
}
