//! Atomic operations of all lanes at one address: reduces the lanes' operands and issues one atomic.
//! Where its result is used, each lane gets what it would have found if the lanes had executed
//! one after another.

use super::builder::VectorBuilder;
use crate::ir::{Type, Value, constant_vector};
use crate::vectorize::reduction::Reduction;
use crate::work_group::nonatomic_local::{self, PlainAtomic};

/// The reduced operands of the active lanes.
struct Reduced {
    /// Of all lanes.
    total: Value,
    /// Of the lanes before each lane, where results are used.
    before: Option<Value>,
}

impl VectorBuilder<'_> {
    /// Writes an atomic operation whose address is uniform.
    pub fn uniform_atomic(&mut self, atomic: Value) {
        let reduction = Reduction::recognize(atomic).expect("the access kind says so");
        let pointer = self.scalar(atomic.operand(0));
        let is_used = !atomic.users().is_empty();
        let reduced = self.reduce(reduction, atomic.operand(1), is_used);
        let operands = [pointer, reduced.total];
        let plain = nonatomic_local::is_on_local_memory(atomic)
            .then(|| PlainAtomic::make(self.ir(), self.plan().layout(), atomic, &operands))
            .flatten();
        let found = match plain {
            Some(plain) => plain.result,
            None => {
                let copy = atomic.clone_instruction();
                for (index, operand) in operands.into_iter().enumerate() {
                    copy.set_operand(index as u32, operand);
                }
                self.ir().insert(copy);
                copy
            }
        };
        if let Some(before) = reduced.before {
            let found = self.ir().splat(found, self.lanes());
            let result = reduction.apply(self.ir(), found, before);
            self.define(atomic, vec![result]);
        }
    }

    fn reduce(&mut self, reduction: Reduction, operand: Value, is_used: bool) -> Reduced {
        let ty = operand.ty();
        if self.shape(operand).is_uniform() {
            let operand = self.scalar(operand);
            if reduction.is_sum() {
                let count = self.active_lane_count(ty);
                return Reduced {
                    total: self.ir().multiply(count, operand),
                    before: is_used.then(|| {
                        let before = self.active_lanes_before(ty);
                        let operand = self.ir().splat(operand, self.lanes());
                        self.ir().multiply(before, operand)
                    }),
                };
            }
            if reduction.is_idempotent() && !is_used {
                return Reduced {
                    total: operand,
                    before: None,
                };
            }
        }
        let identity = reduction.identity(ty).in_all_elements(self.lanes());
        let mut all = self.vectors_of(operand)[0];
        if let Some(mask) = self.mask() {
            all = self.ir().select(mask, all, identity);
        }
        let last = self.ir().i64().constant(u64::from(self.lanes()) - 1);
        if is_used {
            let inclusive = self.inclusive_scan(reduction, all, identity);
            Reduced {
                total: self.ir().extract_element(inclusive, last),
                before: Some(self.shifted_up(inclusive, identity, 1)),
            }
        } else {
            let mut width = self.lanes();
            while width > 2 {
                width /= 2;
                let half = |from: u32| {
                    let elements: Vec<u32> = (from..from + width).collect();
                    self.ir().shuffle(all, all.ty().poison(), &elements)
                };
                all = reduction.combine(self.ir(), half(0), half(width));
            }
            let [one, other] = [0, 1].map(|lane| {
                self.ir()
                    .extract_element(all, self.ir().i64().constant(lane))
            });
            Reduced {
                total: reduction.combine(self.ir(), one, other),
                before: None,
            }
        }
    }

    /// For each lane, its operand reduced with those of the lanes before it.
    fn inclusive_scan(&self, reduction: Reduction, operands: Value, identity: Value) -> Value {
        let mut all = operands;
        let mut distance = 1;
        while distance < self.lanes() {
            let below = self.shifted_up(all, identity, distance);
            all = reduction.combine(self.ir(), below, all);
            distance *= 2;
        }
        all
    }

    /// Moves elements up by that many lanes; the lowest lanes get those of `first`.
    fn shifted_up(&self, elements: Value, first: Value, by: u32) -> Value {
        let width = self.lanes();
        // The lowest lanes take the highest elements of `first`, which are all equal.
        let order: Vec<u32> = (width - by..2 * width - by).collect();
        self.ir().shuffle(first, elements, &order)
    }

    /// Number of active lanes.
    fn active_lane_count(&self, ty: Type) -> Value {
        match self.mask() {
            None => ty.constant(u64::from(self.lanes())),
            Some(mask) => {
                let bits = self.bits(mask);
                self.ir().count_ones(self.ir().resize(bits, ty))
            }
        }
    }

    /// Number of active lanes before each lane.
    fn active_lanes_before(&self, ty: Type) -> Value {
        let Some(mask) = self.mask() else {
            let numbers: Vec<Value> = (0..u64::from(self.lanes()))
                .map(|lane| ty.constant(lane))
                .collect();
            return constant_vector(&numbers);
        };
        // Bytes hold any lane number and take few registers.
        let bytes = self.ir().i8().vector(self.lanes());
        let ones = self.ir().zero_extend(mask, bytes);
        let before = self.shifted_up(ones, bytes.zero(), 1);
        let before = self.inclusive_scan(Reduction::ADD, before, bytes.zero());
        self.ir().zero_extend(before, ty.vector(self.lanes()))
    }
}
