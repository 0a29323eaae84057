//! Reciprocals and reciprocal square roots by the estimates of processors with AVX-512 and one step that improves them.
//!
//! OpenCL allows `rsqrt` an error of 2 ulp (OpenCL 1.2, section 7.4). The builtin library marks its divisions of 1 for
//! which that is enough: they may use a reciprocal, and may not be reassociated. The estimates' relative error is below
//! 2^-14. The step takes as many terms of the series of 1 / (1 - e), or of its square root, as the type needs. Other
//! processors' estimates have 12 bits of floats, for which one term is not enough, and two are slower than division.

use crate::ir::{self, Builder, ModuleRef, Opcode, Type, Value};
use llvm_sys::LLVMRealPredicate::LLVMRealORD;

/// What the element type of a division takes.
struct Method {
    /// The intrinsics' name for it.
    name: &'static str,
    /// Elements in 128 bits.
    fewest_lanes: u32,
    /// Coefficients of e, e^2, ... in (1 - e)^-1, where e is below 2^-14. The first term that is left out is 2^-28 for
    /// floats and 2^-56 for doubles.
    reciprocal: &'static [f64],
    /// The same in (1 - e)^-1/2, where e is below 2^-13: 2^-27 for floats and 2^-66 for doubles.
    root: &'static [f64],
    /// LLVM estimates divisions that may be reassociated.
    is_estimated_by_llvm: bool,
}

const FLOAT: Method = Method {
    name: "ps",
    fewest_lanes: 4,
    reciprocal: &[1.0],
    root: &[0.5],
    is_estimated_by_llvm: true,
};

const DOUBLE: Method = Method {
    name: "pd",
    fewest_lanes: 2,
    reciprocal: &[1.0; 3],
    root: &[0.5, 0.375, 0.3125, 0.2734375],
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
pub fn lower(module: ModuleRef, host_has_estimates: bool) {
    for function in ir::functions(module) {
        for division in function.instructions() {
            let Some(method) = method_of_marked(division) else {
                continue;
            };
            let b = Builder::new(division.ty().context());
            b.before(division);
            b.of_the_line_of(division);
            let result = if host_has_estimates {
                let lowering = Lowering {
                    module,
                    b: &b,
                    method,
                };
                lowering.quotient(division.operand(0), division.operand(1))
            } else if division.may_reassociate() {
                continue;
            } else {
                use_root_for_its_products(division);
                unmarked(&b, division)
            };
            division.replace_all_uses_with(result);
            division.erase();
        }
    }
}

/// The same division without the mark. LLVM's C interface adds flags and does not take any away.
fn unmarked(b: &Builder, division: Value) -> Value {
    let unmarked = b.binary(Opcode::LLVMFDiv, division.operand(0), division.operand(1));
    unmarked.set_flags_without_reciprocal(division);
    unmarked
}

/// Replaces products of x and the reciprocal of its square root by the square root.
fn use_root_for_its_products(division: Value) {
    let root = division.operand(1);
    let Some(argument) = argument_of_root(root) else {
        return;
    };
    let is_product = |user: &Value| {
        user.is(Opcode::LLVMFMul) && (0..2).any(|operand| user.operand(operand) == argument)
    };
    for product in division.users().into_iter().filter(is_product) {
        product.replace_all_uses_with(root);
    }
}

fn method_of_marked(division: Value) -> Option<&'static Method> {
    if !division.is(Opcode::LLVMFDiv) || !division.may_use_reciprocal() {
        return None;
    }
    let method = method(division.ty())?;
    (!(method.is_estimated_by_llvm && division.may_reassociate())).then_some(method)
}

fn argument_of_root(value: Value) -> Option<Value> {
    let called = value.called_function()?;
    (called.name().starts_with("llvm.sqrt.")).then(|| value.operand(0))
}

struct Lowering<'a> {
    module: ModuleRef,
    b: &'a Builder,
    method: &'static Method,
}

impl Lowering<'_> {
    fn quotient(&self, numerator: Value, divisor: Value) -> Value {
        let reciprocal = match argument_of_root(divisor) {
            Some(argument) => self.reciprocal_root(argument),
            None => self.reciprocal(divisor),
        };
        if numerator == divisor.ty().real(1.0) {
            return reciprocal;
        }
        self.b.binary(Opcode::LLVMFMul, numerator, reciprocal)
    }

    /// With estimate y and e = 1 - x y: y (1 - e)^-1.
    fn reciprocal(&self, x: Value) -> Value {
        let y = self.estimate("rcp14", x);
        let (better, _) = self.improved(x, y, self.method.reciprocal);
        // The error is infinite where x is so small that the estimate is infinite.
        self.where_number(better, better, y)
    }

    /// With estimate y and e = 1 - x y^2: y (1 - e)^-1/2.
    fn reciprocal_root(&self, x: Value) -> Value {
        let y = self.estimate("rsqrt14", x);
        let product = self.b.binary(Opcode::LLVMFMul, x, y);
        let (better, error) = self.improved(product, y, self.method.root);
        self.where_number(error, better, y)
    }

    /// With e = 1 - `product` y: y + y (c1 e + c2 e^2 ...), and e.
    fn improved(&self, product: Value, y: Value, coefficients: &[f64]) -> (Value, Value) {
        let ty = y.ty();
        let negated = self.b.negate_float(product);
        let error = self.fused(negated, y, ty.real(1.0));
        let coefficients = coefficients.iter().rev().map(|&c| ty.real(c));
        let series = coefficients.reduce(|sum, coefficient| self.fused(sum, error, coefficient));
        let series = series.expect("a series has terms");
        let scaled = if series == ty.real(1.0) {
            y
        } else {
            self.b.binary(Opcode::LLVMFMul, y, series)
        };
        let better = self.fused(scaled, error, y);
        (better, error)
    }

    /// `better` where `tested` is a number. Elsewhere the estimate is exact: the argument is 0, infinite or not a number,
    /// negative for a root, or so small that its reciprocal is infinite.
    fn where_number(&self, tested: Value, better: Value, estimate: Value) -> Value {
        let is_number = self.b.compare_floats(LLVMRealORD, tested, tested);
        self.b.select(is_number, better, estimate)
    }

    fn fused(&self, a: Value, b: Value, c: Value) -> Value {
        self.b.fused_multiply_add(a, b, c)
    }

    /// The estimate `of` each element. Vectors of other lengths than the instructions' are filled up or split.
    fn estimate(&self, of: &str, x: Value) -> Value {
        let fewest = self.method.fewest_lanes;
        if !x.ty().is_vector() {
            let zero = self.b.i64().constant(0);
            let vector = self
                .b
                .insert_element(x.ty().vector(fewest).poison(), x, zero);
            return self.b.extract_element(self.estimate(of, vector), zero);
        }
        let (_, count) = x.ty().vector_elements();
        let all: Vec<u32> = (0..count).collect();
        let Some(lanes) = [fewest, 2 * fewest, 4 * fewest]
            .into_iter()
            .find(|&lanes| lanes >= count)
        else {
            let (low, high) = all.split_at(count as usize / 2);
            let part = |elements| self.estimate(of, self.b.shuffle(x, x, elements));
            return self.b.shuffle(part(low), part(high), &all);
        };
        if lanes == count {
            return self.estimate_of_host_vector(of, x, lanes);
        }
        let padded: Vec<u32> = (0..lanes).map(|lane| lane.min(count - 1)).collect();
        let padded = self.b.shuffle(x, x, &padded);
        let estimates = self.estimate_of_host_vector(of, padded, lanes);
        self.b.shuffle(estimates, estimates, &all)
    }

    fn estimate_of_host_vector(&self, of: &str, x: Value, lanes: u32) -> Value {
        let (ty, method) = (x.ty(), self.method);
        let bits = lanes / method.fewest_lanes * 128;
        let name = format!("llvm.x86.avx512.{of}.{}.{bits}", method.name);
        let mask = Type::integer(ty.context(), lanes.max(8));
        let function = ir::function(self.module, &name).unwrap_or_else(|| {
            ir::add_function(self.module, &name, Type::function(ty, &[ty, ty, mask]))
        });
        self.b.call(function, &[x, ty.zero(), mask.all_ones()])
    }
}
