//! Accesses of memory: sizes, and places of lanes.

/// An access of the scalar unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarAccess {
    /// 8 bits.
    Byte {
        /// Whether the sign is extended.
        signed: bool,
    },
    /// 16 bits.
    Bytes2 {
        /// Whether the sign is extended.
        signed: bool,
    },
    /// 32 bits.
    Half {
        /// Whether the sign is extended.
        signed: bool,
    },
    /// 64 bits.
    Word,
    /// A pair of 64 bits; the even register has the low address.
    Pair,
}

impl ScalarAccess {
    /// Bytes of one element, by which constants and offset registers are scaled.
    #[inline]
    pub fn scale(self) -> u64 {
        match self {
            Self::Byte { .. } => 1,
            Self::Bytes2 { .. } => 2,
            Self::Half { .. } => 4,
            Self::Word => 8,
            Self::Pair => 16,
        }
    }

    /// The multiple that its addresses are of, bytes.
    #[inline]
    pub fn alignment(self) -> u64 {
        self.scale().min(8)
    }
}

/// Where the lanes of an access of the vector unit are in memory. `e` and `o` are the even and the odd
/// register of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorLayout {
    /// Numbers of 32 bits.
    Half {
        /// Whether the sign is extended.
        signed: bool,
    },
    /// Lane i is word i.
    Word,
    /// The words of `e`, then those of `o`.
    Pair,
    /// Lane i of `e` is word `step * i + first`, lane i of `o` the next one.
    Interleaved {
        /// See above.
        step: u8,
        /// See above.
        first: i8,
    },
    /// Words `2 * i + first` for 32 lanes i, first those of `e`.
    EveryOther {
        /// See above.
        first: i8,
    },
    /// As `Interleaved` with step 4, of 32-bit parts.
    InterleavedHalves {
        /// See above.
        first: i8,
    },
}

impl VectorLayout {
    /// Bytes by which constants and offset registers are scaled.
    #[inline]
    pub fn scale(self) -> u64 {
        match self {
            Self::Half { .. } => 4,
            Self::Word => 8,
            _ => 16,
        }
    }

    /// The multiple that its addresses are of, bytes.
    #[inline]
    pub fn alignment(self) -> u64 {
        match self {
            Self::Half { .. } => 4,
            _ => 8,
        }
    }
}
