//! Blocks of memory: what a pointer may lead into.

use std::fmt;

/// A memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Array memory.
    Am,
    /// Scalar memory.
    Sm,
    /// Global shared memory.
    Gsm,
    /// High-bandwidth shared memory.
    Hbsm,
    /// DDR: what the host program takes.
    Ddr,
    /// DDR: what the C library takes.
    Heap,
    /// Variables of functions.
    Stack,
    /// Variables of the image that are in DDR.
    Image,
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Am => "AM",
            Self::Sm => "SM",
            Self::Gsm => "GSM",
            Self::Hbsm => "HBSM",
            Self::Ddr | Self::Image => "DDR",
            Self::Heap => "heap",
            Self::Stack => "stack",
        })
    }
}

/// A buffer or a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where it starts.
    pub start: usize,
    /// Its size.
    pub bytes: usize,
    /// Where it is.
    pub memory: Memory,
    /// The number of a variable of the image.
    pub variable: Option<usize>,
}

impl Block {
    /// Whether bytes are in it.
    pub fn has(&self, address: usize, bytes: usize) -> bool {
        let offset = address.checked_sub(self.start);
        offset.is_some_and(|offset| offset <= self.bytes && bytes <= self.bytes - offset)
    }
}

/// Why an address is in no block that its thread may access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nowhere {
    /// It is in a memory of the core, where no buffer is.
    Unused(Memory),
    /// It is in a memory of another core.
    OtherCore(Memory, u32),
    /// It is in no memory of the cluster.
    Unknown,
}
