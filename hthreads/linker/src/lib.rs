//! The tools of m3cc that do without a compiler: linker, archiver, and the tool that makes images; and what all
//! tools share: their names, command lines and output. It does not know LLVM, which takes longer to load than these
//! tools to run.

pub mod archive;
pub mod archiver;
mod command_line;
pub mod linker;
pub mod makedat;
pub mod object;
mod output;
mod symbol_table;
pub mod tool;

pub use command_line::Words;
pub use output::print;
