//! Reciprocal square roots by the estimate of processors with AVX-512 and one step that improves it.
//!
//! OpenCL allows `rsqrt` an error of 2 ulp (OpenCL 1.2, section 7.4). The builtin library marks its division: it may use
//! a reciprocal, and may not be reassociated. The estimate's relative error is below 2^-14. The step takes as many terms of
//! the series of (1 - e)^-1/2 as the type needs. Other processors' estimates have 12 bits of floats, for which a step of
//! Newton's method is not enough, and two are slower than division and square root.

use crate::ir::{self, Builder, ModuleRef, Opcode, Type, Value};
use llvm_sys::LLVMRealPredicate::LLVMRealORD;

/// What the type of a division takes.
struct Method {
    /// Lanes of the estimate's instructions, their intrinsics, and the bits of their masks.
    estimates: [(u32, &'static str, u32); 3],
    /// Coefficients of e, e^2, ... in (1 - e)^-1/2. With e below 2^-13, the first term that is left out is below 2^-27
    /// for floats and below 2^-66 for doubles.
    series: &'static [f64],
    /// LLVM estimates divisions that may be reassociated.
    is_estimated_by_llvm: bool,
}

const FLOAT: Method = Method {
    estimates: [
        (4, "llvm.x86.avx512.rsqrt14.ps.128", 8),
        (8, "llvm.x86.avx512.rsqrt14.ps.256", 8),
        (16, "llvm.x86.avx512.rsqrt14.ps.512", 16),
    ],
    series: &[0.5],
    is_estimated_by_llvm: true,
};

const DOUBLE: Method = Method {
    estimates: [
        (2, "llvm.x86.avx512.rsqrt14.pd.128", 8),
        (4, "llvm.x86.avx512.rsqrt14.pd.256", 8),
        (8, "llvm.x86.avx512.rsqrt14.pd.512", 8),
    ],
    series: &[0.5, 0.375, 0.3125, 0.2734375],
    is_estimated_by_llvm: false,
};

fn method(ty: Type) -> Option<&'static Method> {
    let context = ty.context();
    match ty.scalar() {
        scalar if scalar == Type::float(context) => Some(&FLOAT),
        scalar if scalar == Type::double(context) => Some(&DOUBLE),
        _ => None,
    }
}

/// Replaces the divisions that are marked, or takes their marks away, of which LLVM would conclude that estimates of 12 bits
/// are enough.
pub fn lower(module: ModuleRef, host_has_estimate: bool) {
    for function in ir::functions(module) {
        for division in function.instructions() {
            let Some((root, method)) = square_root_of_marked(division) else {
                continue;
            };
            let b = Builder::new(division.ty().context());
            b.before(division);
            b.of_the_line_of(division);
            let result = if host_has_estimate {
                Lowering {
                    module,
                    b: &b,
                    method,
                }
                .reciprocal_root(root.operand(0))
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
fn square_root_of_marked(division: Value) -> Option<(Value, &'static Method)> {
    if !division.is(Opcode::LLVMFDiv) || !division.may_use_reciprocal() {
        return None;
    }
    let method = method(division.ty())?;
    let is_llvms = method.is_estimated_by_llvm && division.may_reassociate();
    if is_llvms || division.operand(0) != division.ty().real(1.0) {
        return None;
    }
    let root = division.operand(1);
    let called = root.called_function()?;
    (called.name().starts_with("llvm.sqrt.")).then_some((root, method))
}

struct Lowering<'a> {
    module: ModuleRef,
    b: &'a Builder,
    method: &'static Method,
}

impl Lowering<'_> {
    /// With estimate y and e = 1 - x y^2: y (1 - e)^-1/2, as y + y (e / 2 + ...). Where e is not a number, x is 0, infinite, negative or not a number,
    /// and the estimate is exact.
    fn reciprocal_root(&self, x: Value) -> Value {
        let ty = x.ty();
        let multiply = |a, b| self.b.binary(Opcode::LLVMFMul, a, b);
        let y = self.estimate(x);
        let product = multiply(x, y);
        let negated = self.b.negate_float(product);
        let error = self.fused(negated, y, ty.real(1.0));
        let coefficients = self.method.series.iter().rev().map(|&c| ty.real(c));
        let series = coefficients.reduce(|sum, coefficient| self.fused(sum, error, coefficient));
        let scaled = multiply(y, series.expect("a series has terms"));
        let better = self.fused(scaled, error, y);
        let is_number = self.b.compare_floats(LLVMRealORD, error, error);
        self.b.select(is_number, better, y)
    }

    fn fused(&self, a: Value, b: Value, c: Value) -> Value {
        self.b.fused_multiply_add(a, b, c)
    }

    fn estimate(&self, x: Value) -> Value {
        if !x.ty().is_vector() {
            let zero = self.b.i64().constant(0);
            let (lanes, ..) = self.method.estimates[0];
            let vector = self
                .b
                .insert_element(x.ty().vector(lanes).poison(), x, zero);
            return self.b.extract_element(self.estimate(vector), zero);
        }
        let (_, count) = x.ty().vector_elements();
        let Some(estimate) = self
            .method
            .estimates
            .iter()
            .find(|(lanes, ..)| *lanes >= count)
        else {
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
