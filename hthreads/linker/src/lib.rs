//! The tools of m3cc that do without a compiler: linker, archiver, and the tool that makes images. They are a crate of
//! their own since LLVM takes longer to load than they to run.

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
