//! The instruction set of the hardware task scheduler: its 128-bit format, an assembler and a
//! disassembler. It knows no machine: the names of the functions of the accelerators are passed in.
//!
//! After Hegde, Srivastava and Agrawal, "HTS: A Hardware Task Scheduler for Heterogeneous Systems",
//! section V; docs/task-scheduler.md lists what the paper leaves open.

mod assembler;
mod error;
mod functions;
mod instruction;
mod listing;
mod operation;
mod program;
#[cfg(test)]
mod tests;

pub use assembler::assemble;
pub use error::{AssemblyError, Problem};
pub use functions::{Functions, FunctionsError};
pub use instruction::{Field, Instruction};
pub use listing::{disassemble, read_words, write_words};
pub use operation::{Branch, BranchKind, Condition, Operation};
pub use program::{Program, Reads};
