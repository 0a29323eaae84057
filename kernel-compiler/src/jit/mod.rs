//! Makes object files executable in this process, shows them to debuggers and profilers, and finds
//! places in the source of their code.

mod gdb_interface;
pub mod jitdump;
mod jitdump_format;
mod line_rows;
pub mod loader;
mod perf_map;
pub mod runtime_symbols;
pub mod source_place;
pub(crate) mod stack_use;
pub(crate) mod symbol_file;
mod symbol_writer;
mod visible;

pub use visible::Visible;
