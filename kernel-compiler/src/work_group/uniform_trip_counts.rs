//! Loops that all work-items execute equally often, each from a start of its own: `for (j = i * m; j < (i + 1) * m; j++)`.
//! They get a counter from 0, of which all lanes see that it is uniform, and an index that is the sum of both.

use super::rotated_loop::RotatedLoop;
use crate::analysis::cfg::Cfg;
use crate::analysis::counted_loop::CountedLoop;
use crate::analysis::polynomial::{Polynomial, Reading};
use crate::analysis::uniformity::{Uniformity, has_barrier};
use crate::ir::{Builder, Opcode, Value, inverse};
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
    /// The loop's index, and the comparison that ends it.
    index: CountedLoop,
    trip_count: Polynomial,
    /// Whether the trip count is a number of 64 bits, which may be 0 or less for the one iteration that a rotated loop has at
    /// least. Otherwise it has the index's bits, and is that modulo a power of two.
    is_compared: bool,
}

impl HiddenCount {
    fn find(l: &RotatedLoop, uniformity: &Uniformity) -> Option<Self> {
        if uniformity.is_uniform(l.latch.terminator()) {
            return None;
        }
        let is_before =
            |value: Value| !value.is_instruction() || !l.blocks.contains(&value.block());
        let index = CountedLoop::find(l.header, l.latch, is_before)?;
        let (next, limit) = (index.next, index.limit);
        let start = RotatedLoop::incoming(index.counter, l.preheader);
        // A branch under a divergent guard is not uniform, either: the loop has nothing to reveal if its start is.
        if uniformity.is_uniform(start) {
            return None;
        }
        let are_narrow = is_narrow(start) && is_narrow(limit);
        let reading = match index.predicate {
            LLVMIntNE if next.ty().integer_bits() <= 64 => Reading::Modulo,
            LLVMIntSLT | LLVMIntSLE if are_narrow && next.has_no_signed_wrap() => Reading::Signed,
            LLVMIntULT | LLVMIntULE if are_narrow && next.has_no_unsigned_wrap() => {
                Reading::Unsigned
            }
            _ => return None,
        };
        let trip_count = Polynomial::of(limit, reading)
            .plus(&Polynomial::of(start, reading), -1)?
            .plus(&Polynomial::constant(i64::from(!index.ends_at_limit())), 1)?;
        // Rows of constant length are a constant apart, and loads of lanes that are cost more than scalar code.
        let is_constant = trip_count.values().next().is_none();
        let is_uniform = trip_count
            .values()
            .all(|value| uniformity.is_uniform(value));
        (is_uniform && !is_constant).then_some(Self {
            index,
            trip_count,
            is_compared: reading != Reading::Modulo,
        })
    }

    fn reveal(&self, l: &RotatedLoop, b: &Builder) {
        let (ty, predicate) = match self.is_compared {
            true => (b.i64(), LLVMIntSLT),
            false => (self.index.next.ty(), LLVMIntNE),
        };
        b.before(l.preheader.terminator());
        let trip_count = self.trip_count.compute(b, ty);
        b.before(l.header.instructions()[0]);
        let counter = b.phi(ty, "iteration");
        let branch = l.latch.terminator();
        b.before(branch);
        let iterations = b.add(counter, ty.constant(1));
        counter.add_incoming(ty.zero(), l.preheader);
        counter.add_incoming(iterations, l.latch);
        let predicate = match branch.successors()[0] == l.header {
            true => predicate,
            false => inverse(predicate),
        };
        branch.set_operand(0, b.compare(predicate, iterations, trip_count));
        self.express(counter, l, b);
    }

    /// Replaces the index by the sum of its start and the counter.
    fn express(&self, counter: Value, l: &RotatedLoop, b: &Builder) {
        let CountedLoop {
            counter: index,
            next,
            ..
        } = self.index;
        let (signed, unsigned) = (next.has_no_signed_wrap(), next.has_no_unsigned_wrap());
        b.before(l.header.first_after_phis());
        let ty = index.ty();
        let counted = match counter.ty() == ty {
            true => counter,
            false => b.truncate(counter, ty),
        };
        let sum = b.add(RotatedLoop::incoming(index, l.preheader), counted);
        if unsigned {
            sum.set_no_unsigned_wrap();
        }
        // Without wrapping as an unsigned number, it has the sign of the start, and the counter is positive.
        if unsigned && signed {
            sum.set_no_signed_wrap();
        }
        index.replace_all_uses_with(sum);
        index.erase();
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
