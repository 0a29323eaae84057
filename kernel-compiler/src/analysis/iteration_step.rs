//! How values change from one iteration of a loop to the next: a small scalar evolution.

use super::cfg::Cfg;
use super::gep::{self, Term};
use super::loops::Loop;
use crate::ir::{DataLayout, Opcode, Value};

/// The difference of a value between one iteration and the next; bytes for addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IterationStep {
    /// The same constant each time; 0 for what is loop-invariant.
    Constant(i64),
    /// The same each time, but not a constant.
    Invariant,
    /// Not known to be the same each time.
    Unknown,
}

impl IterationStep {
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Constant(a), Self::Constant(b)) => {
                a.checked_add(b).map_or(Self::Unknown, Self::Constant)
            }
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            _ => Self::Invariant,
        }
    }

    /// The step of a value times a loop-invariant factor; none is a factor that is no constant.
    fn times(self, factor: Option<i64>) -> Self {
        match (self, factor) {
            (Self::Constant(0), _) => Self::Constant(0),
            (Self::Constant(a), Some(b)) => a.checked_mul(b).map_or(Self::Unknown, Self::Constant),
            (Self::Unknown, _) => Self::Unknown,
            _ => Self::Invariant,
        }
    }
}

/// The steps of values in one loop.
pub struct IterationSteps<'a> {
    pub cfg: &'a Cfg,
    pub l: &'a Loop,
    pub layout: DataLayout,
}

/// Operations followed from a value to what it is computed from.
const MAX_DEPTH: u32 = 24;

impl IterationSteps<'_> {
    /// The step of a value.
    pub fn step(&self, value: Value) -> IterationStep {
        self.follow(value, MAX_DEPTH)
    }

    /// Whether a value is computed outside the loop.
    fn is_from_outside(&self, value: Value) -> bool {
        !value.is_instruction() || !self.l.contains(self.cfg.number(value.block()))
    }

    /// The step of an induction variable: a φ of the header to which each iteration adds the same.
    fn induction_step(&self, phi: Value) -> IterationStep {
        if self.is_from_outside(phi) || self.cfg.number(phi.block()) != self.l.header {
            return IterationStep::Unknown;
        }
        let mut step = None;
        for (value, from) in phi.incoming() {
            if !self.l.contains(self.cfg.number(from)) {
                continue;
            }
            let this = self.increment(phi, value, MAX_DEPTH);
            if step.is_some_and(|step| step != this) {
                return IterationStep::Unknown;
            }
            step = Some(this);
        }
        step.unwrap_or(IterationStep::Unknown)
    }

    /// What is added to `phi` to compute `value`.
    fn increment(&self, phi: Value, value: Value, depth: u32) -> IterationStep {
        if value == phi {
            return IterationStep::Constant(0);
        }
        if depth == 0 || self.is_from_outside(value) {
            return IterationStep::Unknown;
        }
        let addend = |value: Value| match value.as_signed_integer() {
            Some(step) => IterationStep::Constant(step),
            None if self.is_from_outside(value) => IterationStep::Invariant,
            None => IterationStep::Unknown,
        };
        match value.opcode() {
            Opcode::LLVMAdd | Opcode::LLVMOr => {
                let (a, b) = (value.operand(0), value.operand(1));
                match addend(b) {
                    IterationStep::Unknown => self.increment(phi, b, depth - 1).plus(addend(a)),
                    step => self.increment(phi, a, depth - 1).plus(step),
                }
            }
            Opcode::LLVMSub => self
                .increment(phi, value.operand(0), depth - 1)
                .plus(addend(value.operand(1)).times(Some(-1))),
            Opcode::LLVMGetElementPtr => {
                let base = self.increment(phi, value.operand(0), depth - 1);
                match gep::terms(value, self.layout).as_deref() {
                    Some(&[Term::Element { index, scale }]) => {
                        base.plus(addend(index).times(i64::try_from(scale).ok()))
                    }
                    _ => IterationStep::Unknown,
                }
            }
            _ => IterationStep::Unknown,
        }
    }

    fn follow(&self, value: Value, depth: u32) -> IterationStep {
        const NO_STEP: IterationStep = IterationStep::Constant(0);
        if self.is_from_outside(value) {
            return NO_STEP;
        }
        if depth == 0 {
            return IterationStep::Unknown;
        }
        let of = |index: u32| self.follow(value.operand(index), depth - 1);
        let constant = |index: u32| value.operand(index).as_signed_integer();
        match value.opcode() {
            Opcode::LLVMPHI => self.induction_step(value),
            Opcode::LLVMAdd | Opcode::LLVMOr => of(0).plus(of(1)),
            Opcode::LLVMSub => of(0).plus(of(1).times(Some(-1))),
            Opcode::LLVMMul => match (constant(0), constant(1)) {
                (_, Some(factor)) => of(0).times(Some(factor)),
                (Some(factor), _) => of(1).times(Some(factor)),
                _ if of(0) == NO_STEP => of(1).times(None),
                _ if of(1) == NO_STEP => of(0).times(None),
                _ => IterationStep::Unknown,
            },
            Opcode::LLVMShl => match value.operand(1).as_integer() {
                Some(bits) if bits < 63 => of(0).times(Some(1 << bits)),
                _ => of(0).times(None),
            },
            Opcode::LLVMSExt
            | Opcode::LLVMZExt
            | Opcode::LLVMTrunc
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMFreeze => of(0),
            Opcode::LLVMGetElementPtr => self.address(value, depth),
            Opcode::LLVMLoad | Opcode::LLVMCall => IterationStep::Unknown,
            _ => {
                let depth = depth.min(4) - 1;
                let is_invariant = |operand: &Value| self.follow(*operand, depth) == NO_STEP;
                if value.operands().iter().all(is_invariant) {
                    NO_STEP
                } else {
                    IterationStep::Unknown
                }
            }
        }
    }

    /// The step of the address that a `getelementptr` computes. Fields and vector elements are
    /// followed only if all indices but the first are constants.
    fn address(&self, gep: Value, depth: u32) -> IterationStep {
        let Some(terms) = gep::terms(gep, self.layout) else {
            return IterationStep::Unknown;
        };
        let constants_follow = gep
            .operands()
            .iter()
            .skip(2)
            .all(|index| index.is_constant());
        let mut step = self.follow(gep.operand(0), depth - 1);
        for term in terms {
            match term {
                Term::Element { index, scale } => {
                    let index = self.follow(index, depth - 1);
                    step = step.plus(index.times(i64::try_from(scale).ok()));
                }
                Term::Field { .. } | Term::VectorElement { .. } if constants_follow => {}
                Term::Field { .. } | Term::VectorElement { .. } => return IterationStep::Unknown,
            }
        }
        step
    }
}
