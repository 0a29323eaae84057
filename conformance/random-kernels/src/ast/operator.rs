//! Operators and builtin functions.

use crate::types::{INT, Type};

/// Operators whose operands and result have the same type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

/// Operators whose result is an `int`, or a vector of signed integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

impl Comparison {
    /// All comparisons.
    pub const ALL: [Self; 6] = [
        Self::Less,
        Self::LessOrEqual,
        Self::Greater,
        Self::GreaterOrEqual,
        Self::Equal,
        Self::NotEqual,
    ];
}

/// The type of a comparison of values of this type (sections 6.3.d and 6.3.e).
pub fn comparison_type(operand: Type) -> Type {
    if operand.width == 1 {
        INT
    } else {
        operand.with_scalar(operand.scalar.to_signed())
    }
}

/// A work-item function of section 6.12.1 with a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum WorkItem {
    GlobalId,
    LocalId,
    GroupId,
    GlobalSize,
    LocalSize,
    NumGroups,
    GlobalOffset,
}

/// Builtins of sections 6.12.3, 6.12.6 and 6.12.12 for integers, and some of 6.12.2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Builtin {
    Abs,
    AbsDiff,
    AddSat,
    All,
    Any,
    Bitselect,
    /// Applied to a quarter of its argument, so that there are fractions to round.
    Ceil,
    Clamp,
    Clz,
    Fabs,
    /// Applied to a quarter of its argument, so that there are fractions to round.
    Floor,
    /// As near to the result as its type allows.
    Fma,
    Fmod,
    Hadd,
    Mad24,
    MadHi,
    MadSat,
    Max,
    Min,
    Mul24,
    MulHi,
    Popcount,
    Rhadd,
    /// Applied to a quarter of its argument, so that there are fractions to round.
    Rint,
    Rotate,
    Select,
    Shuffle,
    Shuffle2,
    SubSat,
    /// Applied to a quarter of its argument, so that there are fractions to round.
    Trunc,
    Upsample,
}
