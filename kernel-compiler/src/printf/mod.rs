//! OpenCL C's `printf` (6.12.13). A call becomes one of a host function that gets the
//! format, the types of the arguments and their values (`lower`); the host function
//! reads the format (`directive`) and prints (`print`).

mod directive;
mod lower;
mod print;

pub use lower::lower;
pub use print::printf;

/// Name of the host function, in kernels and to the linker of native code.
pub const FUNCTION: &str = "mocl3_printf";

/// What the compiler knows of an argument's type.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Integer = 0,
    Floating = 1,
    Pointer = 2,
    /// A string that need not end in NUL: a pointer, and the number of its bytes.
    Text = 3,
}

/// Type of an argument, after C's promotions: a scalar, or a vector of scalars.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentType {
    class: Class,
    /// Bytes of an element.
    bytes: u8,
    /// Elements; 1 for a scalar.
    count: u8,
    /// Bytes from this argument's value to the next one's.
    slot: u8,
}
