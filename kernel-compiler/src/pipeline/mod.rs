//! From the linked program to native code of one kernel.

mod code;
mod compilation;
mod cost;
mod emit;
pub mod fallback;
mod form;
mod m3000_c;
pub mod module_guard;
pub(crate) mod prepare;
mod vector_use;
mod vectorize;

pub use code::{KernelObject, WorkGroupCode, code, compile_for_inspection};
pub use compilation::Input;
pub use m3000_c::m3000_c;
