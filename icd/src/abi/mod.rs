//! The C side of the library: entry points, handles, pointers and functions of the host program.

pub mod callback;
pub mod dispatch;
pub mod entry_point;
pub mod extension_constants;
pub mod function_table;
pub mod handle;
pub mod host_memory;
