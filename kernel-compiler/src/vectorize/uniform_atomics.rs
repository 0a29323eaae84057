//! Atomic operations of all lanes at one address: what the lanes bring is combined, and one
//! operation does it all. Where a result is used, each lane gets what it would have found had the
//! lanes come one after the other.

use super::access::AccessKind;
use super::linearise::VectorBuilder;
use super::plan::VectorPlan;
use crate::ir::{Builder, Opcode, Type, Value, constant_vector};
use crate::work_group::nonatomic_local::{self, PlainAtomic};
use llvm_sys::LLVMAtomicRMWBinOp::{self, *};
use llvm_sys::LLVMIntPredicate::{self, *};

/// An operation that may take several operands as one.
#[derive(Clone, Copy, Debug)]
enum Reduction {
    /// Two operands together, and what each of them does to memory.
    Binary { together: Opcode, each: Opcode },
    /// The one for which the comparison with the other holds.
    Choice(LLVMIntPredicate),
}

impl Reduction {
    fn of(atomic: LLVMAtomicRMWBinOp) -> Option<Self> {
        let alike = |opcode| Self::Binary {
            together: opcode,
            each: opcode,
        };
        Some(match atomic {
            LLVMAtomicRMWBinOpAdd => alike(Opcode::LLVMAdd),
            LLVMAtomicRMWBinOpSub => Self::Binary {
                together: Opcode::LLVMAdd,
                each: Opcode::LLVMSub,
            },
            LLVMAtomicRMWBinOpAnd => alike(Opcode::LLVMAnd),
            LLVMAtomicRMWBinOpOr => alike(Opcode::LLVMOr),
            LLVMAtomicRMWBinOpXor => alike(Opcode::LLVMXor),
            LLVMAtomicRMWBinOpMax => Self::Choice(LLVMIntSGT),
            LLVMAtomicRMWBinOpMin => Self::Choice(LLVMIntSLT),
            LLVMAtomicRMWBinOpUMax => Self::Choice(LLVMIntUGT),
            LLVMAtomicRMWBinOpUMin => Self::Choice(LLVMIntULT),
            _ => return None,
        })
    }

    /// The operand that changes nothing.
    fn neutral(self, ty: Type) -> Value {
        let bits = ty.integer_bits();
        let ones = u64::MAX >> (64 - bits);
        ty.constant(match self {
            Self::Binary {
                each: Opcode::LLVMAnd,
                ..
            }
            | Self::Choice(LLVMIntULT) => ones,
            Self::Choice(LLVMIntSGT) => 1 << (bits - 1),
            Self::Choice(LLVMIntSLT) => ones >> 1,
            _ => 0,
        })
    }

    /// Operands are counted: so many times the same is a product.
    fn scales_with_count(self) -> bool {
        matches!(
            self,
            Self::Binary {
                together: Opcode::LLVMAdd,
                ..
            }
        )
    }

    /// Several times the same is as good as once.
    fn is_idempotent(self) -> bool {
        !self.scales_with_count()
            && !matches!(
                self,
                Self::Binary {
                    each: Opcode::LLVMXor,
                    ..
                }
            )
    }

    /// Two operands as one.
    fn combine(self, b: &Builder, one: Value, other: Value) -> Value {
        match self {
            Self::Binary { together, .. } => b.binary(together, one, other),
            Self::Choice(predicate) => b.select(b.compare(predicate, one, other), one, other),
        }
    }

    /// What an operand makes of a number in memory.
    fn apply(self, b: &Builder, memory: Value, operand: Value) -> Value {
        match self {
            Self::Binary { each, .. } => b.binary(each, memory, operand),
            Self::Choice(_) => self.combine(b, memory, operand),
        }
    }
}

impl VectorPlan<'_> {
    /// How lanes do an atomic operation.
    pub fn atomic_access_kind(&self, atomic: Value) -> AccessKind {
        let operation = atomic.atomic_operation().and_then(Reduction::of);
        if operation.is_some() && self.divergence.of(atomic.operand(0)).is_uniform() {
            AccessKind::UniformAtomic
        } else {
            AccessKind::Scalarized
        }
    }

    /// What combining the operands of an atomic operation costs, in cycles, where a vector of them
    /// takes so many registers.
    pub fn reduction_cost(&self, atomic: Value, registers: f64) -> f64 {
        let operation = atomic.atomic_operation().and_then(Reduction::of);
        let steps = f64::from(self.lanes).log2();
        let is_uniform = self.divergence.of(atomic.operand(1)).is_uniform();
        let is_used = !atomic.users().is_empty();
        match operation {
            Some(operation) if is_uniform && operation.scales_with_count() && is_used => {
                4.0 + 2.0 * steps + 2.0 * registers
            }
            Some(operation) if is_uniform && !is_used => {
                if operation.scales_with_count() || operation.is_idempotent() {
                    3.0
                } else {
                    3.0 * steps + registers
                }
            }
            _ if is_used => 3.0 * steps * registers + 2.0 * registers,
            _ => 3.0 * steps + registers,
        }
    }
}

/// The operands of all lanes together, and of those before each lane.
struct Reduced {
    total: Value,
    /// If asked for.
    before: Option<Value>,
}

impl VectorBuilder<'_> {
    /// Writes one operation for an atomic one at the same address in all lanes.
    pub fn uniform_atomic(&mut self, atomic: Value) {
        let operation = atomic.atomic_operation().and_then(Reduction::of);
        let operation = operation.expect("its way was asked for");
        let pointer = self.scalar(atomic.operand(0));
        let is_used = !atomic.users().is_empty();
        let reduced = self.reduce(operation, atomic.operand(1), is_used);
        let operands = [pointer, reduced.total];
        let plain = nonatomic_local::is_on_local_memory(atomic)
            .then(|| PlainAtomic::make(self.b, self.plan.layout, atomic, &operands))
            .flatten();
        let found = match plain {
            Some(plain) => plain.result,
            None => {
                let copy = atomic.clone_instruction();
                for (index, operand) in operands.into_iter().enumerate() {
                    copy.set_operand(index as u32, operand);
                }
                self.b.insert(copy);
                copy
            }
        };
        if let Some(before) = reduced.before {
            let found = self.b.splat(found, self.width());
            let made = operation.apply(self.b, found, before);
            self.define(atomic, vec![made]);
        }
    }

    fn reduce(&mut self, operation: Reduction, operand: Value, is_used: bool) -> Reduced {
        let ty = operand.ty();
        if self.shape(operand).is_uniform() {
            let operand = self.scalar(operand);
            if operation.scales_with_count() {
                let times = self.active_lane_count(ty);
                return Reduced {
                    total: self.b.multiply(times, operand),
                    before: is_used.then(|| {
                        let before = self.active_lanes_before(ty);
                        let operand = self.b.splat(operand, self.width());
                        self.b.multiply(before, operand)
                    }),
                };
            }
            if operation.is_idempotent() && !is_used {
                return Reduced {
                    total: operand,
                    before: None,
                };
            }
        }
        let neutral = operation.neutral(ty).in_all_elements(self.width());
        let mut all = self.lanes_of(operand)[0];
        if let Some(mask) = self.mask {
            all = self.b.select(mask, all, neutral);
        }
        let last = self.b.i64().constant(u64::from(self.width()) - 1);
        if is_used {
            let with_own = self.inclusive_scan(operation, all, neutral);
            Reduced {
                total: self.b.extract_element(with_own, last),
                before: Some(self.shifted_up(with_own, neutral, 1)),
            }
        } else {
            let mut width = self.width();
            while width > 2 {
                width /= 2;
                let half = |from: u32| {
                    let elements: Vec<u32> = (from..from + width).collect();
                    self.b.shuffle(all, all.ty().poison(), &elements)
                };
                all = operation.combine(self.b, half(0), half(width));
            }
            let [one, other] =
                [0, 1].map(|lane| self.b.extract_element(all, self.b.i64().constant(lane)));
            Reduced {
                total: operation.combine(self.b, one, other),
                before: None,
            }
        }
    }

    /// Of each lane: its operand and those of the lanes before it together.
    fn inclusive_scan(&self, operation: Reduction, operands: Value, neutral: Value) -> Value {
        let mut all = operands;
        let mut distance = 1;
        while distance < self.width() {
            let below = self.shifted_up(all, neutral, distance);
            all = operation.combine(self.b, below, all);
            distance *= 2;
        }
        all
    }

    /// Each lane's element where the lane so many further has its.
    fn shifted_up(&self, elements: Value, first: Value, by: u32) -> Value {
        let width = self.width();
        // The first ones are the last ones of the other.
        let order: Vec<u32> = (width - by..2 * width - by).collect();
        self.b.shuffle(first, elements, &order)
    }

    /// How many lanes take part.
    fn active_lane_count(&self, ty: Type) -> Value {
        match self.mask {
            None => ty.constant(u64::from(self.width())),
            Some(mask) => {
                let bits = self.bits(mask);
                self.b.count_ones(self.b.resize(bits, ty))
            }
        }
    }

    /// How many lanes before each take part.
    fn active_lanes_before(&self, ty: Type) -> Value {
        let Some(mask) = self.mask else {
            let numbers: Vec<Value> = (0..u64::from(self.width()))
                .map(|lane| ty.constant(lane))
                .collect();
            return constant_vector(&numbers);
        };
        // Bytes are enough, and few registers.
        let bytes = self.b.i8().vector(self.width());
        let ones = self.b.zero_extend(mask, bytes);
        let before = self.shifted_up(ones, bytes.zero(), 1);
        let add = Reduction::of(LLVMAtomicRMWBinOpAdd).expect("adding may be combined");
        let before = self.inclusive_scan(add, before, bytes.zero());
        self.b.zero_extend(before, ty.vector(self.width()))
    }
}
