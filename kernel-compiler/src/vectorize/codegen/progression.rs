//! Values that are an arithmetic progression over the lanes on a condition which scalar code computes:
//! bounds such as `clamp(x - 1, 0, width - 1)` change no lane of most vectors, and a comparison has one
//! result for all lanes of most vectors.

use super::builder::VectorBuilder;
use crate::analysis::gep::{self, Term};
use crate::analysis::integer_range::Bound;
use crate::analysis::lane_shape::Shape;
use crate::ir::{Opcode, Value};
use llvm_sys::LLVMIntPredicate::{self, *};
use std::collections::HashMap;

/// A value that lane `l` has `l` steps more of than lane 0, as integers wrap.
#[derive(Clone, Copy)]
pub struct Progression {
    /// Lane 0's value.
    pub first: Value,
    /// The difference between neighbouring lanes; bytes for a pointer.
    pub step: i64,
}

/// Finds the progression of a value, and what it depends on.
pub struct ProgressionFinder<'b, 'a> {
    builder: &'b mut VectorBuilder<'a>,
    known: HashMap<Value, Progression>,
    conditions: Vec<Value>,
}

impl<'b, 'a> ProgressionFinder<'b, 'a> {
    /// The progression of `value` and the condition for it; none if the value may be none, or needs
    /// values that are not available in this block.
    pub fn find(builder: &'b mut VectorBuilder<'a>, value: Value) -> Option<(Progression, Value)> {
        let mut finder = Self {
            builder,
            known: HashMap::new(),
            conditions: Vec::new(),
        };
        let progression = finder.progression(value)?;
        let b = finder.builder.ir();
        let all = finder.conditions.into_iter().reduce(|a, b_| b.and(a, b_))?;
        Some((progression, all))
    }

    fn progression(&mut self, value: Value) -> Option<Progression> {
        if let Some(known) = self.known.get(&value) {
            return Some(*known);
        }
        let mut found = match self.builder.shape(value) {
            Shape::Varying => self.computed(value)?,
            shape => self.available(value, shape)?,
        };
        if value.ty().is_integer() {
            // Steps count as integers of the type wrap.
            let unused = 64u32.checked_sub(value.ty().integer_bits())?;
            found.step = found.step << unused >> unused;
        }
        self.known.insert(value, found);
        Some(found)
    }

    fn available(&mut self, value: Value, shape: Shape) -> Option<Progression> {
        if !self.builder.is_available(value) {
            return None;
        }
        let first = self.builder.scalar(value);
        // The condition may depend on poison: that of an inactive lane, or of what is not selected.
        let first = if value.is_constant() || value.ty().is_pointer() {
            first
        } else {
            self.builder.ir().freeze(first)
        };
        Some(Progression {
            first,
            step: shape.step()?,
        })
    }

    fn computed(&mut self, value: Value) -> Option<Progression> {
        let b = self.builder.ir();
        let opcode = value.opcode();
        match opcode {
            Opcode::LLVMAdd | Opcode::LLVMSub => {
                let [left, right] = [
                    self.progression(value.operand(0))?,
                    self.progression(value.operand(1))?,
                ];
                let step = match opcode {
                    Opcode::LLVMAdd => left.step.checked_add(right.step)?,
                    _ => left.step.checked_sub(right.step)?,
                };
                let first = b.binary(opcode, left.first, right.first);
                Some(Progression { first, step })
            }
            Opcode::LLVMMul | Opcode::LLVMShl => {
                let factor = value.operand(1).as_integer()?;
                let factor = match opcode {
                    Opcode::LLVMShl => 1i64.checked_shl(u32::try_from(factor).ok()?)?,
                    _ => value.operand(1).as_signed_integer()?,
                };
                let scaled = self.progression(value.operand(0))?;
                Some(Progression {
                    first: b.binary(opcode, scaled.first, value.operand(1)),
                    step: scaled.step.checked_mul(factor)?,
                })
            }
            Opcode::LLVMTrunc => {
                let wide = self.progression(value.operand(0))?;
                Some(Progression {
                    first: b.truncate(wide.first, value.ty()),
                    ..wide
                })
            }
            Opcode::LLVMSExt | Opcode::LLVMZExt => {
                let narrow = self.progression(value.operand(0))?;
                self.require_no_wrap(narrow, opcode == Opcode::LLVMSExt)?;
                Some(Progression {
                    first: b.cast(opcode, narrow.first, value.ty()),
                    ..narrow
                })
            }
            Opcode::LLVMSelect => {
                let condition = self
                    .progression(value.operand(0))
                    .filter(|of| of.step == 0)?;
                let [yes, no] = [
                    self.progression(value.operand(1))?,
                    self.progression(value.operand(2))?,
                ];
                (yes.step == no.step).then(|| Progression {
                    first: b.select(condition.first, yes.first, no.first),
                    step: yes.step,
                })
            }
            Opcode::LLVMICmp => self.compared(value),
            Opcode::LLVMCall => self.bounded(value),
            Opcode::LLVMGetElementPtr => self.address(value),
            _ => None,
        }
    }

    /// A comparison with the same result in the first and the last lane, and so in all between.
    fn compared(&mut self, comparison: Value) -> Option<Progression> {
        let predicate = comparison.predicate();
        if matches!(predicate, LLVMIntEQ | LLVMIntNE) || !comparison.operand(0).ty().is_integer() {
            return None;
        }
        let is_signed = matches!(predicate, LLVMIntSGT | LLVMIntSGE | LLVMIntSLT | LLVMIntSLE);
        let sides = [0, 1].map(|index| self.progression(comparison.operand(index)));
        let [left, right] = [sides[0]?, sides[1]?];
        if left.step != 0 && right.step != 0 {
            return None;
        }
        for side in [left, right] {
            self.require_no_wrap(side, is_signed)?;
        }
        let b = self.builder.ir();
        let first = b.compare(predicate, left.first, right.first);
        let last = b.compare(predicate, self.last(left)?, self.last(right)?);
        self.conditions.push(b.compare(LLVMIntEQ, first, last));
        Some(Progression { first, step: 0 })
    }

    /// The smaller or the larger of a progression and a uniform value, where that is the progression.
    fn bounded(&mut self, call: Value) -> Option<Progression> {
        let bound = Bound::recognize(call).filter(|bound| *bound != Bound::Absolute)?;
        let operands = [
            self.progression(call.operand(0))?,
            self.progression(call.operand(1))?,
        ];
        let (limit, progression) = match operands {
            [progression, limit] if limit.step == 0 => (limit, progression),
            [limit, progression] if limit.step == 0 => (limit, progression),
            _ => return None,
        };
        self.require_no_wrap(progression, !bound.is_unsigned())?;
        let is_ascending = progression.step >= 0;
        let (is_within, takes_least): (LLVMIntPredicate, bool) = match bound {
            Bound::Least => (LLVMIntSLE, true),
            Bound::UnsignedLeast => (LLVMIntULE, true),
            Bound::Most => (LLVMIntSGE, false),
            _ => (LLVMIntUGE, false),
        };
        // The lane that is nearest to the limit.
        let extreme = if is_ascending == takes_least {
            self.last(progression)?
        } else {
            progression.first
        };
        let condition = self.builder.ir().compare(is_within, extreme, limit.first);
        self.conditions.push(condition);
        Some(progression)
    }

    fn address(&mut self, gep: Value) -> Option<Progression> {
        let terms = gep::terms(gep, self.builder.plan().layout())?;
        let [Term::Element { index, scale }] = *terms.as_slice() else {
            return None;
        };
        let base = self.progression(gep.operand(0))?;
        let index_of = self
            .progression(index)
            .filter(|_| index.ty().integer_bits() == 64)?;
        let b = self.builder.ir();
        let bytes = b.multiply(index_of.first, b.i64().constant(scale));
        let step = index_of.step.checked_mul(i64::try_from(scale).ok()?)?;
        Some(Progression {
            first: b.offset_each(base.first, bytes),
            step: base.step.checked_add(step)?,
        })
    }

    /// The last lane's value.
    fn last(&self, progression: Progression) -> Option<Value> {
        let distance = self.distance(progression)?;
        let ty = progression.first.ty();
        let b = self.builder.ir();
        Some(match distance {
            0 => progression.first,
            _ => b.add(progression.first, ty.constant(distance as u64)),
        })
    }

    /// From the first lane's to the last lane's value; none if their type cannot hold it.
    fn distance(&self, progression: Progression) -> Option<i64> {
        let lanes = i64::from(self.builder.lanes());
        let distance = progression.step.checked_mul(lanes - 1)?;
        let bits = progression.first.ty().integer_bits();
        let holds = distance == 0 || bits >= 64 || distance.unsigned_abs() < 1 << (bits - 1);
        holds.then_some(distance)
    }

    /// Adds the condition that no lane wraps.
    fn require_no_wrap(&mut self, progression: Progression, is_signed: bool) -> Option<()> {
        let distance = self.distance(progression)?;
        if distance == 0 {
            return Some(());
        }
        let ty = progression.first.ty();
        let bits = ty.integer_bits();
        let all = u64::MAX >> (64 - bits);
        let (least, most): (u64, u64) = match is_signed {
            true => (1 << (bits - 1), all >> 1),
            false => (0, all),
        };
        let b = self.builder.ir();
        // The farthest that the first lane may be.
        let (predicate, limit) = match (distance > 0, is_signed) {
            (true, true) => (LLVMIntSLE, most.wrapping_sub(distance as u64)),
            (true, false) => (LLVMIntULE, most.wrapping_sub(distance as u64)),
            (false, true) => (LLVMIntSGE, least.wrapping_sub(distance as u64)),
            (false, false) => (LLVMIntUGE, least.wrapping_sub(distance as u64)),
        };
        let condition = b.compare(predicate, progression.first, ty.constant(limit & all));
        self.conditions.push(condition);
        Some(())
    }
}
