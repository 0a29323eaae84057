//! An instruction of the table.

use super::access::{ScalarAccess, VectorLayout};
use super::sequence::{Condition, Control};
use super::units::Units;
use crate::execution::Vector;

/// What an operand may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A scalar register.
    Scalar,
    /// That, or a constant of six bits.
    ScalarOrConstant,
    /// A constant without sign.
    Count,
    /// A constant of 24 bits.
    Constant24,
    /// A constant of 64 bits, or a symbol.
    Constant64,
    /// A pair of scalar registers, `R1:R0`.
    ScalarPair,
    /// An address or offset register.
    Address,
    /// A vector register.
    Vector,
    /// That, or a constant of six bits.
    VectorOrConstant,
    /// A pair of vector registers.
    VectorPair,
    /// A control register, or SVR0 to SVR15.
    Control,
    /// A control register of the vector unit, or SVR as a whole.
    VectorControl,
    /// The address of a scalar access.
    ScalarMemory,
    /// The address of a vector access.
    VectorMemory,
    /// A label or a register with an address of code.
    Target,
}

/// What a word is computed by.
pub type OneWord = fn(u64) -> u64;
/// From two words.
pub type TwoWords = fn(u64, u64) -> u64;
/// From three words.
pub type ThreeWords = fn(u64, u64, u64) -> u64;

/// Which sum an instruction forms, for saturation by flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saturated {
    /// Of 64 bits.
    Whole,
    /// Of 32-bit parts.
    Parts,
}

/// What an instruction does.
#[derive(Clone, Copy)]
pub enum Action {
    /// A word of one.
    One(OneWord, fn(&Vector, &mut Vector)),
    /// A word of two.
    Two(TwoWords, fn(&Vector, &Vector, &mut Vector)),
    /// A word of three.
    Three(ThreeWords, fn(&Vector, &Vector, &Vector, &mut Vector)),
    /// A sum or difference of numbers with sign, whose overflow sets flags.
    Sum(TwoWords, fn(&Vector, &Vector, &mut Vector), Saturated),
    /// The nearest number to the last sum.
    Saturate(Saturated),
    /// A pair of three words.
    Step(fn(u64, u64, u64) -> (u64, u64)),
    /// A sum of an address.
    AddAddress,
    /// A difference of an address.
    SubtractAddress,
    /// A word in all lanes.
    Broadcast,
    /// A pair of words in all lanes of a pair.
    BroadcastPair,
    /// To a control register.
    ToControl,
    /// From a control register.
    FromControl,
    /// A load of the scalar unit.
    Load(ScalarAccess),
    /// A store of the scalar unit.
    Store(ScalarAccess),
    /// A load of the vector unit.
    VectorLoad(VectorLayout),
    /// A store of the vector unit.
    VectorStore(VectorLayout),
    /// A branch.
    Branch(Condition),
    /// Of the sequence of instructions.
    Control(Control),
}

impl std::fmt::Debug for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Action")
    }
}

/// An instruction.
#[derive(Debug)]
pub struct Mnemonic {
    /// Its name.
    pub name: &'static str,
    /// The units that execute it.
    pub units: Units,
    /// Cycles from its issue to the first use of its result. Control and address registers have others
    /// (`crate::latency`).
    pub latency: u8,
    /// Operands, as they are written.
    pub operands: &'static [Kind],
    /// What it does.
    pub action: Action,
    /// Floating-point operations on a word, and whether they are of 64 bits.
    pub flops: (u8, bool),
}

impl Mnemonic {
    /// Whether it is one of the vector unit.
    pub fn is_vector(&self) -> bool {
        self.units.0 & Units::ALL_VECTOR.0 != 0
    }

    /// Whether its last operand is written.
    pub fn has_result(&self) -> bool {
        !matches!(
            self.action,
            Action::Store(_) | Action::VectorStore(_) | Action::Branch(_) | Action::Control(_)
        )
    }
}

macro_rules! one {
    ($function:path) => {
        Action::One($function, |a, result| {
            for lane in 0..16 {
                result.0[lane] = $function(a.0[lane]);
            }
        })
    };
}

macro_rules! two {
    ($function:path) => {
        Action::Two($function, |a, b, result| {
            for lane in 0..16 {
                result.0[lane] = $function(a.0[lane], b.0[lane]);
            }
        })
    };
}

macro_rules! sum {
    ($function:path, $width:ident) => {
        Action::Sum(
            $function,
            |a, b, result| {
                for lane in 0..16 {
                    result.0[lane] = $function(a.0[lane], b.0[lane]);
                }
            },
            Saturated::$width,
        )
    };
}

macro_rules! three {
    ($function:path) => {
        Action::Three($function, |a, b, c, result| {
            for lane in 0..16 {
                result.0[lane] = $function(a.0[lane], b.0[lane], c.0[lane]);
            }
        })
    };
}

/// Rows of the table: name, units, latency, operands, action, and floating-point operations if it has some.
macro_rules! rows {
    ($($name:literal $units:ident $latency:literal [$($kind:ident)*] $action:expr $(, $flops:literal $double:literal)?;)*) => {
        /// The instructions.
        pub const ROWS: &[Mnemonic] = &[$(Mnemonic {
            name: $name,
            units: Units::$units,
            latency: $latency,
            operands: &[$(Kind::$kind),*],
            action: $action,
            flops: {
                #[allow(unused_mut, unused_assignments, reason = "most have none")]
                let mut flops = (0, false);
                $(flops = ($flops, $double);)?
                flops
            },
        }),*];
    };
}

pub(super) use {one, rows, sum, three, two};
