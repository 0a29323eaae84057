//! Why timed code has no counter slice.

use std::fmt::{self, Display, Formatter};

/// Why timed code has no counter slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The counters depend on data in global or local memory.
    ProgramData,
    /// They depend on memory that the compiler does not know.
    UnknownMemory,
    /// They depend on the result of an operation that has effects, such as an atomic one.
    SideEffect,
}

impl Display for Obstacle {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ProgramData => "its counters depend on data in global or local memory",
            Self::UnknownMemory => "its counters depend on unknown memory",
            Self::SideEffect => "its counters depend on an operation with effects",
        })
    }
}
