//! Values that differ between lanes by constants though not by equal steps: `i & 7`, `i >> 2` or
//! `2 * i - (i & 7)`, of an index `i` that is aligned in lane 0.

use super::gep::{self, Term};
use super::lane_shape::{self, Shape};
use crate::ir::{DataLayout, Opcode, Value};

/// Most operations that are followed from a value.
const MAX_OPERATIONS: usize = 32;

/// Low zero bits of 0, in 64 bits.
const ZEROS_OF_ZERO: u32 = 64;

/// Numbers of which each lane's is the sum of a base, unknown and the same in all lanes, and a
/// constant. All are modulo two to the bits of their type.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LaneConstants {
    constants: Vec<i64>,
    /// Low bits of the base that are 0.
    zeros: u32,
}

/// By how much each lane's value is larger than lane 0's, modulo two to the bits of its type; bytes
/// for a pointer. `shape` gives the shapes of values in vectors of `lanes` lanes, of which all must
/// be active. None if these differences may depend on anything else.
pub fn differences(
    value: Value,
    lanes: u32,
    layout: DataLayout,
    shape: &dyn Fn(Value) -> Shape,
) -> Option<Vec<i64>> {
    let mut analysis = Analysis {
        lanes,
        layout,
        shape,
        operations: 0,
    };
    let constants = analysis.of(value)?.constants;
    let difference = |constant: &i64| constant.checked_sub(constants[0]);
    constants.iter().map(difference).collect()
}

struct Analysis<'a> {
    lanes: u32,
    layout: DataLayout,
    shape: &'a dyn Fn(Value) -> Shape,
    operations: usize,
}

impl Analysis<'_> {
    fn of(&mut self, value: Value) -> Option<LaneConstants> {
        if let Some(constant) = value.as_signed_integer() {
            return Some(LaneConstants {
                constants: vec![constant; self.lanes as usize],
                zeros: ZEROS_OF_ZERO,
            });
        }
        if let Some(stride) = (self.shape)(value).stride_of(value) {
            let steps = (0..i64::from(self.lanes)).map(|lane| lane.checked_mul(stride.step));
            return Some(LaneConstants {
                constants: steps.collect::<Option<_>>()?,
                zeros: stride.alignment.trailing_zeros(),
            });
        }
        self.operations += 1;
        let is_integer = value.ty().is_integer() && value.ty().integer_bits() <= 64;
        if self.operations > MAX_OPERATIONS || !value.is_instruction() {
            return None;
        }
        match value.opcode() {
            Opcode::LLVMGetElementPtr => self.address(value),
            Opcode::LLVMAddrSpaceCast => self.of(value.operand(0)),
            _ if !is_integer => None,
            Opcode::LLVMZExt | Opcode::LLVMSExt => {
                self.extended(value.operand(0), value.is(Opcode::LLVMSExt))
            }
            Opcode::LLVMTrunc => self.of(value.operand(0)),
            Opcode::LLVMAdd | Opcode::LLVMSub => self.sum(value, |this, of| this.of(of)),
            Opcode::LLVMOr if value.is_disjoint() => self.sum(value, |this, of| this.of(of)),
            Opcode::LLVMMul | Opcode::LLVMShl => self.product(value, |this, of| this.of(of)),
            Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor => self.bitwise(value),
            Opcode::LLVMLShr => self.shifted_right(value),
            _ => None,
        }
    }

    /// The extension of an integer.
    fn extended(&mut self, value: Value, signed: bool) -> Option<LaneConstants> {
        let bits = value.ty().integer_bits();
        if let Some(stride) = (self.shape)(value).stride_of(value) {
            let wraps = if signed {
                !stride.signed
            } else {
                !stride.unsigned
            };
            if !wraps || stride.step == 0 {
                return self.of(value);
            }
        }
        // Within an aligned block that ends where the sign changes, no lane wraps.
        let within = |number: LaneConstants| number.within_block(bits - u32::from(signed));
        if let Some(within) = self.of(value).and_then(within) {
            return Some(within);
        }
        let keeps = |value: Value| {
            value.is_instruction()
                && match signed {
                    true => value.has_no_signed_wrap(),
                    false => value.has_no_unsigned_wrap(),
                }
        };
        match value.is_instruction().then(|| value.opcode())? {
            Opcode::LLVMAdd | Opcode::LLVMSub if keeps(value) => {
                self.sum(value, |this, of| this.extended(of, signed))
            }
            Opcode::LLVMOr if value.is_disjoint() => {
                self.sum(value, |this, of| this.extended(of, signed))
            }
            Opcode::LLVMMul | Opcode::LLVMShl if keeps(value) => {
                self.product(value, |this, of| this.extended(of, signed))
            }
            _ => None,
        }
    }

    fn sum(
        &mut self,
        sum: Value,
        mut of: impl FnMut(&mut Self, Value) -> Option<LaneConstants>,
    ) -> Option<LaneConstants> {
        let (a, b) = (of(self, sum.operand(0))?, of(self, sum.operand(1))?);
        let added = |(a, b): (&i64, &i64)| match sum.is(Opcode::LLVMSub) {
            true => a.checked_sub(*b),
            false => a.checked_add(*b),
        };
        Some(LaneConstants {
            constants: a
                .constants
                .iter()
                .zip(&b.constants)
                .map(added)
                .collect::<Option<_>>()?,
            zeros: a.zeros.min(b.zeros),
        })
    }

    /// A multiplication by a constant, or a left shift.
    fn product(
        &mut self,
        product: Value,
        mut of: impl FnMut(&mut Self, Value) -> Option<LaneConstants>,
    ) -> Option<LaneConstants> {
        let (scaled, factor) = lane_shape::scaled_operand(product).filter(|(_, by)| *by > 0)?;
        of(self, product.operand(scaled as u32))?.times(factor)
    }

    /// An operation of bits with a constant.
    fn bitwise(&mut self, operation: Value) -> Option<LaneConstants> {
        let operand = operation.operand(1).as_signed_integer()?;
        let number = self.of(operation.operand(0))?.within_block(u64::BITS)?;
        let apply = |bits: i64| match operation.opcode() {
            Opcode::LLVMAnd => bits & operand,
            Opcode::LLVMOr => bits | operand,
            _ => bits ^ operand,
        };
        // The operation changes the bits above in all lanes alike.
        let below = 1i64
            .checked_shl(number.zeros)
            .map_or(-1, |end| end.wrapping_sub(1));
        let clears_base = operation.is(Opcode::LLVMAnd) && operand & !below == 0;
        Some(LaneConstants {
            constants: number
                .constants
                .iter()
                .map(|bits| apply(*bits) & below)
                .collect(),
            zeros: if clears_base {
                ZEROS_OF_ZERO
            } else {
                number.zeros
            },
        })
    }

    fn shifted_right(&mut self, shift: Value) -> Option<LaneConstants> {
        let by = u32::try_from(shift.operand(1).as_integer()?).ok()?;
        let bits = shift.ty().integer_bits();
        let number = self.of(shift.operand(0))?.within_block(bits)?;
        (by < bits).then(|| LaneConstants {
            constants: number.constants.iter().map(|bits| bits >> by).collect(),
            zeros: match number.zeros {
                ZEROS_OF_ZERO => ZEROS_OF_ZERO,
                // All lanes are equal where these are fewer.
                zeros => zeros.saturating_sub(by),
            },
        })
    }

    fn address(&mut self, gep: Value) -> Option<LaneConstants> {
        let mut sum = self.of(gep.operand(0))?;
        for term in gep::terms(gep, self.layout)? {
            let (Term::Element { index, scale } | Term::VectorElement { index, scale }) = term
            else {
                continue;
            };
            // Narrower indices are sign-extended.
            let index = match index.ty() {
                ty if !ty.is_integer() || ty.integer_bits() > 64 => return None,
                ty if ty.integer_bits() < 64 => self.extended(index, true)?,
                _ => self.of(index)?,
            };
            let term = index.times(i64::try_from(scale).ok()?)?;
            for (sum, term) in sum.constants.iter_mut().zip(&term.constants) {
                *sum = sum.checked_add(*term)?;
            }
        }
        sum.zeros = 0;
        Some(sum)
    }
}

impl LaneConstants {
    fn times(&self, factor: i64) -> Option<Self> {
        let times = |constant: &i64| constant.checked_mul(factor);
        let zeros = self.zeros + factor.trailing_zeros();
        Some(Self {
            constants: self.constants.iter().map(times).collect::<Option<_>>()?,
            zeros: zeros.min(ZEROS_OF_ZERO),
        })
    }

    /// The same numbers with constants from 0 on that lie below the base's lowest bit, and have
    /// `bits` bits at most; none if lanes differ in the bits above.
    fn within_block(&self, bits: u32) -> Option<Self> {
        let zeros = self.zeros.min(bits);
        // Constants are less than two to 63.
        let below = (u64::MAX >> (63 - zeros.min(63)) >> 1) as i64;
        let first = self.constants[0] & !below;
        let moved = self.constants.iter().map(|c| c.checked_sub(first));
        let constants = moved.collect::<Option<Vec<i64>>>()?;
        let is_within = constants.iter().all(|c| (0..=below).contains(c));
        is_within.then_some(Self {
            constants,
            zeros: if first == 0 {
                self.zeros
            } else {
                zeros.min(63)
            },
        })
    }
}
