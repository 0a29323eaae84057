//! The range of each integer of a function, as far as types, constants and operations bound it.

use crate::ir::{Opcode, Value};
use std::collections::HashMap;

/// The numbers that an integer may be, as a signed number of its type; both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The smallest.
    pub low: i64,
    /// The largest.
    pub high: i64,
}

impl Range {
    fn constant(number: i64) -> Self {
        Self {
            low: number,
            high: number,
        }
    }

    /// All signed numbers of that many bits, at most 63.
    pub fn signed(bits: u32) -> Self {
        Self {
            low: -1 << (bits - 1),
            high: (1 << (bits - 1)) - 1,
        }
    }

    /// All unsigned numbers of that many bits, at most 62.
    pub fn unsigned(bits: u32) -> Self {
        Self {
            low: 0,
            high: (1 << bits) - 1,
        }
    }

    /// Whether all numbers are in `other`.
    pub fn is_within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// Whether no number is negative.
    pub fn is_not_negative(self) -> bool {
        self.low >= 0
    }

    /// The smallest range of all numbers of both.
    pub fn union(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// The range of an operation that is monotonic in each operand.
    fn of_corners(a: Self, b: Self, apply: impl Fn(i64, i64) -> i64) -> Self {
        let corners = [
            apply(a.low, b.low),
            apply(a.low, b.high),
            apply(a.high, b.low),
            apply(a.high, b.high),
        ];
        let all = corners.into_iter().map(Self::constant);
        all.reduce(Self::union).expect("there are four")
    }
}

/// The ranges of a function's integers of up to 32 bits.
pub struct Ranges {
    known: HashMap<Value, Range>,
}

impl Ranges {
    /// Of a function as it is.
    pub fn compute(function: Value) -> Self {
        let mut ranges = Self {
            known: HashMap::new(),
        };
        for instruction in function.instructions() {
            if let Some(bits) = bits(instruction) {
                let all = Range::signed(bits);
                let range = ranges.computed(instruction);
                let range = range.filter(|range| range.is_within(all)).unwrap_or(all);
                ranges.known.insert(instruction, range);
            }
        }
        ranges
    }

    /// The range of an integer; none for other types and more than 32 bits.
    pub fn range(&self, value: Value) -> Option<Range> {
        let bits = bits(value)?;
        let constant = value.as_signed_integer().map(Range::constant);
        let known = constant.or_else(|| self.known.get(&value).copied());
        Some(known.unwrap_or(Range::signed(bits)))
    }

    /// The range before it wraps; none if operands do not bound it.
    fn computed(&self, instruction: Value) -> Option<Range> {
        let operand = |index: u32| self.range(instruction.operand(index));
        let not_negative = |index: u32| operand(index).filter(|range| range.is_not_negative());
        let shifted_by = || operand(1).filter(|by| by.low == by.high && (0..31).contains(&by.low));
        match instruction.opcode() {
            Opcode::LLVMZExt => {
                let from = bits(instruction.operand(0))?;
                not_negative(0).or(Some(Range::unsigned(from)))
            }
            Opcode::LLVMSExt | Opcode::LLVMTrunc | Opcode::LLVMFreeze => operand(0),
            Opcode::LLVMAdd => Some(Range::of_corners(operand(0)?, operand(1)?, |a, b| a + b)),
            Opcode::LLVMSub => Some(Range::of_corners(operand(0)?, operand(1)?, |a, b| a - b)),
            Opcode::LLVMMul => {
                let product = |a: i64, b: i64| a.saturating_mul(b);
                Some(Range::of_corners(operand(0)?, operand(1)?, product))
            }
            Opcode::LLVMShl => {
                let left = |a: i64, by: i64| a << by;
                Some(Range::of_corners(operand(0)?, shifted_by()?, left))
            }
            Opcode::LLVMAShr => Some(shifted_right(operand(0)?, shifted_by()?)),
            Opcode::LLVMLShr => {
                let by = shifted_by()?;
                let all = Range::unsigned(bits(instruction)?);
                let from = not_negative(0).or((by.low > 0).then_some(all))?;
                Some(shifted_right(from, by))
            }
            Opcode::LLVMAnd => {
                let bounds = [not_negative(0), not_negative(1)];
                let high = bounds.into_iter().flatten().map(|range| range.high).min()?;
                Some(Range { low: 0, high })
            }
            Opcode::LLVMOr | Opcode::LLVMXor => {
                let high = not_negative(0)?.high.max(not_negative(1)?.high);
                let bits = 64 - high.leading_zeros();
                Some(Range::unsigned(bits))
            }
            Opcode::LLVMSelect => Some(operand(1)?.union(operand(2)?)),
            Opcode::LLVMPHI => {
                let incoming = instruction.incoming().into_iter();
                let ranges = incoming.map(|(value, _)| self.range(value));
                ranges
                    .collect::<Option<Vec<_>>>()?
                    .into_iter()
                    .reduce(Range::union)
            }
            Opcode::LLVMCall => self.of_call(instruction),
            _ => None,
        }
    }

    fn of_call(&self, call: Value) -> Option<Range> {
        let bound = Bound::recognize(call)?;
        let a = self.range(call.operand(0))?;
        if bound == Bound::Absolute {
            let size = a.low.abs().max(a.high.abs());
            return Some(Range { low: 0, high: size });
        }
        let b = self.range(call.operand(1))?;
        if bound.is_unsigned() && !(a.is_not_negative() && b.is_not_negative()) {
            return None;
        }
        Some(match bound {
            Bound::Least | Bound::UnsignedLeast => Range::of_corners(a, b, i64::min),
            _ => Range::of_corners(a, b, i64::max),
        })
    }
}

fn shifted_right(range: Range, by: Range) -> Range {
    Range::of_corners(range, by, |a, by| a >> by)
}

/// Bits of an integer of up to 32.
fn bits(value: Value) -> Option<u32> {
    let ty = value.ty();
    ty.is_integer()
        .then(|| ty.integer_bits())
        .filter(|bits| (1..=32).contains(bits))
}

/// Calls that bound an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The smaller of two signed numbers.
    Least,
    /// The larger of two signed numbers.
    Most,
    /// The smaller of two unsigned numbers.
    UnsignedLeast,
    /// The larger of two unsigned numbers.
    UnsignedMost,
    /// The absolute value of a signed number.
    Absolute,
}

/// The intrinsics, without the type at the end of their names.
const INTRINSICS: [(&str, Bound); 5] = [
    ("llvm.smin.", Bound::Least),
    ("llvm.smax.", Bound::Most),
    ("llvm.umin.", Bound::UnsignedLeast),
    ("llvm.umax.", Bound::UnsignedMost),
    ("llvm.abs.", Bound::Absolute),
];

impl Bound {
    /// What a call of LLVM's intrinsics bounds.
    pub fn recognize(call: Value) -> Option<Self> {
        let name = call.called_function()?.name();
        let known = INTRINSICS
            .iter()
            .find(|(prefix, _)| name.starts_with(prefix));
        known.map(|(_, bound)| *bound)
    }

    /// Whether it takes its operands as unsigned numbers.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::UnsignedLeast | Self::UnsignedMost)
    }

    /// That of signed numbers.
    pub fn signed(self) -> Self {
        match self {
            Self::UnsignedLeast => Self::Least,
            Self::UnsignedMost => Self::Most,
            signed => signed,
        }
    }

    /// That of unsigned numbers.
    pub fn unsigned(self) -> Self {
        match self {
            Self::Least => Self::UnsignedLeast,
            Self::Most => Self::UnsignedMost,
            unsigned => unsigned,
        }
    }

    /// The name of the intrinsic for integers of that many bits.
    pub fn intrinsic(self, bits: u32) -> String {
        let (prefix, _) = INTRINSICS
            .iter()
            .find(|(_, bound)| *bound == self)
            .expect("the table lists each");
        format!("{prefix}i{bits}")
    }
}
