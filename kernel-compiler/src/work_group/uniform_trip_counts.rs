//! Loops that all work-items execute equally often, each from a start of its own: `for (j = i * m; j < (i + 1) * m; j++)`.
//! They get a counter from 0, of which all lanes see that it is uniform, and an index that is the sum of both.

use super::grid_stride::{inverse, swapped};
use super::rotated_loop::RotatedLoop;
use crate::analysis::cfg::Cfg;
use crate::analysis::polynomial::{Polynomial, Reading};
use crate::analysis::uniformity::{Uniformity, has_barrier};
use crate::ir::{Builder, Opcode, Type, Value};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::LLVMIntPredicate::*;

/// Bits of numbers whose differences are compared. Those of wider ones could exceed 64 bits.
const MAX_COMPARED_BITS: u32 = 32;

/// Gives such loops of a kernel a counter.
pub fn count(kernel: Value) {
    let cfg = Cfg::compute(kernel);
    let loops = RotatedLoop::all(&cfg);
    if loops.is_empty() {
        return;
    }
    let uniformity = Uniformity::find(kernel, &cfg, has_barrier);
    let b = Builder::new(kernel.ty().context());
    for l in &loops {
        if let Some(hidden) = HiddenCount::find(l, &uniformity) {
            hidden.reveal(l, &b);
        }
    }
}

/// A uniform trip count of a loop whose condition compares numbers that are not uniform.
struct HiddenCount {
    /// φ of the header, to which each iteration adds 1.
    index: Value,
    next: Value,
    /// The loop continues while this holds for the number of iterations and the trip count.
    predicate: LLVMIntPredicate,
    trip_count: Polynomial,
    /// Of counter and trip count.
    ty: Type,
}

impl HiddenCount {
    fn find(l: &RotatedLoop, uniformity: &Uniformity) -> Option<Self> {
        let branch = l.latch.terminator();
        let condition = branch.operand(0);
        if !condition.is(Opcode::LLVMICmp) || uniformity.is_uniform(condition) {
            return None;
        }
        let is_next = |next: Value| {
            next.is(Opcode::LLVMAdd)
                && next.ty().integer_bits() <= 64
                && next.operand(1).as_signed_integer() == Some(1)
                && next.operand(0).is(Opcode::LLVMPHI)
                && next.operand(0).block() == l.header
        };
        let (left, right) = (condition.operand(0), condition.operand(1));
        let (next, bound, predicate) = match () {
            () if is_next(left) => (left, right, condition.predicate()),
            () if is_next(right) => (right, left, swapped(condition.predicate())),
            () => return None,
        };
        let predicate = match branch.successors()[0] == l.header {
            true => predicate,
            false => inverse(predicate),
        };
        let index = next.operand(0);
        let start = RotatedLoop::incoming(index, l.preheader);
        let is_narrow = is_narrow(start) && is_narrow(bound);
        let (reading, more) = match predicate {
            LLVMIntNE => (Reading::Modulo, 0),
            LLVMIntSLT if is_narrow && next.has_no_signed_wrap() => (Reading::Signed, 0),
            LLVMIntSLE if is_narrow && next.has_no_signed_wrap() => (Reading::Signed, 1),
            LLVMIntULT if is_narrow && next.has_no_unsigned_wrap() => (Reading::Unsigned, 0),
            LLVMIntULE if is_narrow && next.has_no_unsigned_wrap() => (Reading::Unsigned, 1),
            _ => return None,
        };
        let is_before =
            |value: Value| !value.is_instruction() || !l.blocks.contains(&value.block());
        if !is_before(bound) || RotatedLoop::incoming(index, l.latch) != next {
            return None;
        }
        let start = Polynomial::of(start, reading);
        let trip_count = Polynomial::of(bound, reading)
            .plus(&start, -1)?
            .plus(&Polynomial::constant(more), 1)?;
        // Rows of constant length are a constant apart, and loads of lanes that are cost more than scalar code.
        let is_constant = trip_count.values().next().is_none();
        let is_uniform = trip_count
            .values()
            .all(|value| uniformity.is_uniform(value));
        (is_uniform && !is_constant).then(|| {
            let is_compared = reading != Reading::Modulo;
            Self {
                index,
                next,
                predicate: if is_compared { LLVMIntSLT } else { LLVMIntNE },
                trip_count,
                ty: match is_compared {
                    true => Type::integer(next.ty().context(), 64),
                    false => next.ty(),
                },
            }
        })
    }

    fn reveal(&self, l: &RotatedLoop, b: &Builder) {
        b.before(l.preheader.terminator());
        let trip_count = self.trip_count.compute(b, self.ty);
        b.before(l.header.instructions()[0]);
        let counter = b.phi(self.ty, "iteration");
        b.before(l.latch.terminator());
        let iterations = b.add(counter, self.ty.constant(1));
        counter.add_incoming(self.ty.zero(), l.preheader);
        counter.add_incoming(iterations, l.latch);
        let again = b.compare(self.predicate, iterations, trip_count);
        let condition = match l.latch.terminator().successors()[0] == l.header {
            true => again,
            false => b.binary(Opcode::LLVMXor, again, again.ty().constant(1)),
        };
        l.latch.terminator().set_operand(0, condition);
        self.express(counter, l, b);
    }

    /// Replaces the index by the sum of its start and the counter.
    fn express(&self, counter: Value, l: &RotatedLoop, b: &Builder) {
        let (signed, unsigned) = (
            self.next.has_no_signed_wrap(),
            self.next.has_no_unsigned_wrap(),
        );
        b.before(l.header.first_after_phis());
        let ty = self.index.ty();
        let counted = match self.ty == ty {
            true => counter,
            false => b.truncate(counter, ty),
        };
        let sum = b.add(RotatedLoop::incoming(self.index, l.preheader), counted);
        if unsigned {
            sum.set_no_unsigned_wrap();
        }
        // Without wrapping as an unsigned number, it has the sign of the start, and the counter is positive.
        if unsigned && signed {
            sum.set_no_signed_wrap();
        }
        self.index.replace_all_uses_with(sum);
        self.index.erase();
    }
}

/// Whether a number has few enough bits, sign or zero extension excepted.
fn is_narrow(number: Value) -> bool {
    let is_extended =
        number.is_instruction() && matches!(number.opcode(), Opcode::LLVMSExt | Opcode::LLVMZExt);
    let narrow = if is_extended {
        number.operand(0)
    } else {
        number
    };
    narrow.ty().integer_bits() <= MAX_COMPARED_BITS
}
