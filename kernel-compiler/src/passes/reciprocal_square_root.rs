//! Reciprocal square roots of floats by the estimate of processors with AVX-512 and a step of Newton's method.
//!
//! OpenCL allows `rsqrt` an error of 2 ulp (OpenCL 1.2, section 7.4). The builtin library marks its division: it may use
//! a reciprocal, and may not be reassociated. The estimate's relative error is below 2^-14, so that of the step is below 2^-28
//! before roundings. Other processors' estimates have 12 bits, for which one step is not enough, and two are
//! slower than division and square root.

use crate::ir::{self, Builder, ModuleRef, Opcode, Type, Value};
use llvm_sys::LLVMRealPredicate::LLVMRealORD;

/// Lanes of the estimate's instructions, their intrinsics, and the bits of their masks.
const ESTIMATES: [(u32, &str, u32); 3] = [
    (4, "llvm.x86.avx512.rsqrt14.ps.128", 8),
    (8, "llvm.x86.avx512.rsqrt14.ps.256", 8),
    (16, "llvm.x86.avx512.rsqrt14.ps.512", 16),
];

/// Replaces the divisions that are marked, or takes their marks away, of which LLVM would conclude that estimates of 12 bits
/// are enough.
pub fn lower(module: ModuleRef, host_has_estimate: bool) {
    for function in ir::functions(module) {
        for division in function.instructions() {
            let Some(root) = square_root_of_marked(division) else {
                continue;
            };
            let b = Builder::new(division.ty().context());
            b.before(division);
            b.of_the_line_of(division);
            let result = if host_has_estimate {
                Lowering { module, b: &b }.reciprocal_root(root.operand(0))
            } else {
                unmarked(&b, division)
            };
            division.replace_all_uses_with(result);
            division.erase();
            if root.users().is_empty() {
                root.erase();
            }
        }
    }
}

/// The same division without the mark. LLVM's C interface adds flags and does not take any away.
fn unmarked(b: &Builder, division: Value) -> Value {
    let (one, root) = (division.operand(0), division.operand(1));
    let unmarked = b.binary(Opcode::LLVMFDiv, one, root);
    unmarked.set_flags_without_reciprocal(division);
    unmarked
}

/// The square root that a marked division divides 1 by.
fn square_root_of_marked(division: Value) -> Option<Value> {
    let is_marked = division.is(Opcode::LLVMFDiv)
        && division.may_use_reciprocal()
        && !division.may_reassociate();
    if !is_marked || division.operand(0) != division.ty().real(1.0) {
        return None;
    }
    let root = division.operand(1);
    let called = root.called_function()?;
    let is_of_floats = root.ty().scalar() == Type::float(root.ty().context());
    (is_of_floats && called.name().starts_with("llvm.sqrt.")).then_some(root)
}

struct Lowering<'a> {
    module: ModuleRef,
    b: &'a Builder,
}

impl Lowering<'_> {
    /// With estimate y and e = 1 - x y^2: y + y e / 2. Where e is not a number, x is 0, infinite, negative or not a number,
    /// and the estimate is exact.
    fn reciprocal_root(&self, x: Value) -> Value {
        let ty = x.ty();
        let multiply = |a, b| self.b.binary(Opcode::LLVMFMul, a, b);
        let y = self.estimate(x);
        let product = multiply(x, y);
        let negated = self.b.negate_float(product);
        let error = self.fused(negated, y, ty.real(1.0));
        let half = multiply(y, ty.real(0.5));
        let better = self.fused(half, error, y);
        let is_number = self.b.compare_floats(LLVMRealORD, error, error);
        self.b.select(is_number, better, y)
    }

    fn fused(&self, a: Value, b: Value, c: Value) -> Value {
        self.b.fused_multiply_add(a, b, c)
    }

    fn estimate(&self, x: Value) -> Value {
        if !x.ty().is_vector() {
            let zero = self.b.i64().constant(0);
            let vector = self.b.insert_element(x.ty().vector(4).poison(), x, zero);
            return self.b.extract_element(self.estimate(vector), zero);
        }
        let (_, count) = x.ty().vector_elements();
        let Some(estimate) = ESTIMATES.iter().find(|(lanes, ..)| *lanes >= count) else {
            let part = |from: u32, to: u32| {
                let elements: Vec<u32> = (from..to).collect();
                self.estimate(self.b.shuffle(x, x, &elements))
            };
            let (low, high) = (part(0, count / 2), part(count / 2, count));
            let all: Vec<u32> = (0..count).collect();
            return self.b.shuffle(low, high, &all);
        };
        let &(lanes, name, mask_bits) = estimate;
        let padded: Vec<u32> = (0..lanes).map(|lane| lane.min(count - 1)).collect();
        let argument = if lanes == count {
            x
        } else {
            self.b.shuffle(x, x, &padded)
        };
        let (ty, mask) = (argument.ty(), Type::integer(x.ty().context(), mask_bits));
        let function = ir::function(self.module, name).unwrap_or_else(|| {
            ir::add_function(self.module, name, Type::function(ty, &[ty, ty, mask]))
        });
        let all = self
            .b
            .call(function, &[argument, ty.zero(), mask.all_ones()]);
        if lanes == count {
            all
        } else {
            self.b.shuffle(all, all, &padded[..count as usize])
        }
    }
}
