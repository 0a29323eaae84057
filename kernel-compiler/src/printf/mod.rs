//! OpenCL C's `printf` (6.12.13). A call becomes one of a host function that gets the
//! format, the types of the arguments and their values (`lower`); the host function
//! reads the format (`directive`) and prints (`print`). `m3000_c` writes such calls as C.

mod directive;
mod lower;
mod print;

pub use directive::{Conversion, Directive, Part, next_part};
pub use lower::lower;
pub use print::printf;

use directive::Length;

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
    pub class: Class,
    /// Bytes of an element.
    pub bytes: u8,
    /// Elements; 1 for a scalar.
    pub count: u8,
    /// Bytes from this argument's value to the next one's.
    pub slot: u8,
}

impl ArgumentType {
    /// An argument with the room that calls give it.
    #[cfg(test)]
    pub const fn passed(class: Class, bytes: u8, count: u8) -> Self {
        let size = bytes * count;
        Self {
            class,
            bytes,
            count,
            slot: if size < 8 { 8 } else { size },
        }
    }

    /// The type as `described` gives it.
    pub fn from_bytes([class, bytes, count, slot]: [u8; 4]) -> Option<Self> {
        let classes = [Class::Integer, Class::Floating, Class::Pointer, Class::Text];
        let class = classes.into_iter().find(|known| *known as u8 == class)?;
        Some(Self {
            class,
            bytes,
            count,
            slot,
        })
    }

    /// The bytes of the type, of which calls have a table.
    fn described(self) -> [u8; 4] {
        [self.class as u8, self.bytes, self.count, self.slot]
    }

    /// The type as which a directive prints the argument; none if it does not fit. Calls pass vectors of
    /// up to eight bytes in the shape of one scalar, which is all the compiler sees.
    pub fn for_directive(mut self, directive: &Directive) -> Option<Self> {
        let floating = matches!(directive.conversion, Conversion::Floating(_));
        let Some(count) = directive.vector else {
            return (self.count == 1).then_some(self);
        };
        if self.count > 1 {
            let fits = floating == (self.class == Class::Floating);
            return (fits && count <= self.count).then_some(self);
        }
        // A vector of three takes the room of four.
        let elements = count.next_power_of_two();
        let bytes = self.bytes / elements;
        // No floating-point number has one byte.
        let least = if floating { 2 } else { 1 };
        if bytes < least || (directive.length != Length::None && directive.length.bytes() != bytes)
        {
            return None;
        }
        self.class = if floating {
            Class::Floating
        } else {
            Class::Integer
        };
        self.bytes = bytes;
        self.count = elements;
        Some(self)
    }
}
