//! The assembly language of the MT-3000 (docs/hthreads.md#assembly): one table of its instructions (`table`),
//! the assembler (`syntax`, `checks`), its inverse (`disassembly`), and an interpreter that executes packets
//! cycle by cycle with exposed latencies (`execution`).
//!
//! Knows nothing of threads, images and C: what code accesses and calls is behind a trait.

pub mod arithmetic;
mod checks;
mod control_register;
mod diagnostic;
pub mod disassembly;
pub mod execution;
mod latency;
mod line_marker;
mod operand;
mod program;
mod syntax;
pub mod table;

pub use control_register::ControlRegister;
pub use diagnostic::{Diagnostic, Diagnostics};
pub use operand::{AddressRegister, Memory, Offset, Operand, Predicate, Update};
pub use program::{DecodeError, Instruction, Label, Packet, Program};
pub use syntax::{Assembled, DataItem, DataObject, Section, assemble};
