//! Functions of each element. They are computed in double precision and rounded once.

use crate::call::ComputeError;
use crate::operands::{Compute, Operands};
use crate::parallel::in_pieces;
use crate::real::Real;

/// How much longer a function takes than an element of a vector otherwise.
const WEIGHT: usize = 8;

/// A function of one argument.
trait Function1 {
    fn of(x: f64) -> f64;
}

/// A function of two arguments.
trait Function2 {
    fn of(x: f64, z: f64) -> f64;
}

/// `x, y, n`
fn one<F: Function1, T: Real>(o: &mut Operands<'_, T>) -> Result<(), ComputeError> {
    let x = o.read("x");
    in_pieces(o.written("y"), 1, WEIGHT, &|first, y| {
        for (y, x) in y.iter_mut().zip(&x[first..]) {
            *y = T::narrow(F::of(x.widen()));
        }
    });
    Ok(())
}

/// `x, z, y, n`
fn two<F: Function2, T: Real>(o: &mut Operands<'_, T>) -> Result<(), ComputeError> {
    let (x, z) = (o.read("x"), o.read("z"));
    in_pieces(o.written("y"), 1, WEIGHT, &|first, y| {
        for (y, (x, z)) in y.iter_mut().zip(x[first..].iter().zip(&z[first..])) {
            *y = T::narrow(F::of(x.widen(), z.widen()));
        }
    });
    Ok(())
}

macro_rules! functions {
    ($trait:ident, $body:ident, $name:expr; $($function:literal: $closure:expr),* $(,)?) => {
        match $name {
            $($function => {
                struct F;
                impl $trait for F {
                    functions!(@of $trait, $closure);
                }
                return Some(Compute::ByPrecision {
                    single: $body::<F, f32>,
                    double: $body::<F, f64>,
                });
            })*
            _ => {}
        }
    };
    (@of Function1, $closure:expr) => {
        fn of(x: f64) -> f64 {
            let function: fn(f64) -> f64 = $closure;
            function(x)
        }
    };
    (@of Function2, $closure:expr) => {
        fn of(x: f64, z: f64) -> f64 {
            let function: fn(f64, f64) -> f64 = $closure;
            function(x, z)
        }
    };
}

/// What computes a function of that name.
pub fn find(name: &str) -> Option<Compute> {
    functions! { Function1, one, name;
        "sin": f64::sin,
        "cos": f64::cos,
        "tan": f64::tan,
        "asin": f64::asin,
        "acos": f64::acos,
        "atan": f64::atan,
        "sinh": f64::sinh,
        "cosh": f64::cosh,
        "tanh": f64::tanh,
        "asinh": f64::asinh,
        "acosh": f64::acosh,
        "atanh": f64::atanh,
        "exp": f64::exp,
        "exp2": f64::exp2,
        "expm1": f64::exp_m1,
        "log": f64::ln,
        "log2": f64::log2,
        "log10": f64::log10,
        "log1p": f64::ln_1p,
        "sqrt": f64::sqrt,
        "rsqrt": |x| 1.0 / x.sqrt(),
        "cbrt": f64::cbrt,
        "fabs": f64::abs,
        "floor": f64::floor,
        "ceil": f64::ceil,
        "trunc": f64::trunc,
        "rint": f64::round_ties_even,
    }
    functions! { Function2, two, name;
        "pow": f64::powf,
        "atan2": f64::atan2,
        "hypot": f64::hypot,
        "fmod": |x, z| x % z,
    }
    None
}
