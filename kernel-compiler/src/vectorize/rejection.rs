//! Why the work-items of a kernel are not vectorised.

use crate::analysis::compact_cfg::UnsupportedCfg;
use crate::size_limits::Excess;
use environment::LANES;
use std::fmt::{self, Display, Formatter};

/// Why the work-items of a kernel run one after another.
#[derive(Clone, Debug, PartialEq)]
pub enum Rejection {
    /// `MOCL3_LANES=0`
    Disabled,
    /// An earlier attempt to vectorise the kernel failed.
    CompilerFailure,
    /// `-cl-opt-disable`
    NotOptimised,
    /// The kernel is too large to be optimised.
    Excess(Excess),
    /// The host has no vectors of halves.
    NoHalfVectors,
    /// Work-groups have fewer work-items along each dimension than vectors have lanes.
    SmallGroups,
    /// A work-item loop has too many instructions or blocks.
    LongLoop,
    /// A block of a work-item loop does not end in a branch.
    UnsupportedTerminator,
    /// Unsupported control flow in a work-item loop.
    UnsupportedCfg(UnsupportedCfg),
    /// A work-item loop is not in canonical form.
    NonCanonicalLoop,
    /// A work-item uses a value of the one before.
    CarriedValue,
    /// A work-item loop has an exit other than its latch.
    LoopExit,
    /// A private array is also used outside the work-item loop.
    EscapingPrivateArray,
    /// A value's type is not one that vectors have for elements.
    UnsupportedType,
    /// An access of memory that has no vector form.
    UnsupportedAccess,
    /// A loop may have a uniform exit while some of its lanes wait within it.
    UnsupportedLoopExit,
    /// Vector code would have about that many instructions.
    LongCode(f64),
    /// Vector code would take more cycles than scalar code; the estimates.
    Unprofitable(String),
}

impl From<UnsupportedCfg> for Rejection {
    fn from(reason: UnsupportedCfg) -> Self {
        Self::UnsupportedCfg(reason)
    }
}

impl Display for Rejection {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Disabled => return write!(f, "{LANES}=0 disables vectorising"),
            Self::CompilerFailure => "the compiler failed to vectorise it",
            Self::NotOptimised => "the program is not optimised",
            Self::Excess(excess) => return excess.fmt(f),
            Self::NoHalfVectors => {
                "the kernel computes with halves, and the host has no vectors of these"
            }
            Self::SmallGroups => "work-groups are too small",
            Self::LongLoop => "the kernel is too long",
            Self::UnsupportedTerminator => "a block does not end in a branch",
            Self::UnsupportedCfg(UnsupportedCfg::Irreducible) => {
                "control flow is irreducible: a loop has several entries"
            }
            Self::UnsupportedCfg(UnsupportedCfg::NotSimplified) => {
                "a loop is not in canonical form"
            }
            Self::UnsupportedCfg(UnsupportedCfg::Infinite) => "a loop has no exit",
            Self::NonCanonicalLoop => "the loop over the work-items is not in canonical form",
            Self::CarriedValue => "a work-item uses a value of the one before",
            Self::LoopExit => "the loop over the work-items has several exits",
            Self::EscapingPrivateArray => {
                "a private array is also used outside the loop over the work-items"
            }
            Self::UnsupportedType => "a value is of a type that vectors cannot have",
            Self::UnsupportedAccess => "a memory access has no vector form",
            Self::UnsupportedLoopExit => "a loop has an unsupported exit",
            Self::LongCode(instructions) => {
                return write!(f, "it would be {instructions:.0} instructions long");
            }
            Self::Unprofitable(cost) => return write!(f, "vector code would cost more: {cost}"),
        })
    }
}
