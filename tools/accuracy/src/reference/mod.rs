//! The reference of each function: MPFR's value, which follows Annex F of C99 for
//! special arguments, and OpenCL's own rules of section 7.5.

mod answer;
mod geometric;
mod parts;

pub use answer::{Answer, Expected};
pub use geometric::*;
pub use parts::{fract, frexp, modf, remainder, remquo};

use crate::case::Case;
use crate::format::Rounding;
use answer::{FUSED, PRECISION, SUM, any, number, value};
use parts::is_integer;
use rug::Float;

/// A function of MPFR.
pub type OfOne = fn(Float) -> Float;

/// Functions of one argument with the limits of `float` and `double`, and of `half`.
pub const ONE: &[(&str, f64, f64, OfOne)] = &[
    ("acos", 4.0, 2.0, Float::acos),
    ("acosh", 4.0, 2.0, Float::acosh),
    ("acospi", 5.0, 2.0, Float::acos_pi),
    ("asin", 4.0, 2.0, Float::asin),
    ("asinh", 4.0, 2.0, Float::asinh),
    ("asinpi", 5.0, 2.0, Float::asin_pi),
    ("atan", 5.0, 2.0, Float::atan),
    ("atanh", 5.0, 2.0, Float::atanh),
    ("atanpi", 5.0, 2.0, Float::atan_pi),
    ("cbrt", 2.0, 2.0, Float::cbrt),
    ("cos", 4.0, 2.0, Float::cos),
    ("cosh", 4.0, 2.0, Float::cosh),
    ("erf", 16.0, 4.0, Float::erf),
    ("erfc", 16.0, 4.0, Float::erfc),
    ("exp", 3.0, 2.0, Float::exp),
    ("exp2", 3.0, 2.0, Float::exp2),
    ("exp10", 3.0, 2.0, Float::exp10),
    ("expm1", 3.0, 2.0, Float::exp_m1),
    ("log", 3.0, 2.0, Float::ln),
    ("log2", 3.0, 2.0, Float::log2),
    ("log10", 3.0, 2.0, Float::log10),
    ("log1p", 2.0, 2.0, Float::ln_1p),
    ("sin", 4.0, 2.0, Float::sin),
    ("sinh", 4.0, 2.0, Float::sinh),
    ("tan", 5.0, 2.0, Float::tan),
    ("tanh", 5.0, 2.0, Float::tanh),
];

/// Functions of one argument whose result is correctly rounded.
pub const ONE_EXACT: &[(&str, OfOne)] = &[
    ("ceil", |x| with_sign_of_argument(x, Float::ceil)),
    ("fabs", Float::abs),
    ("floor", |x| with_sign_of_argument(x, Float::floor)),
    ("rint", |x| with_sign_of_argument(x, Float::round_even)),
    ("round", |x| with_sign_of_argument(x, Float::round)),
    ("trunc", |x| with_sign_of_argument(x, Float::trunc)),
];

fn with_sign_of_argument(x: Float, function: OfOne) -> Float {
    let negative = x.is_sign_negative();
    let result = function(x);
    if result.is_zero() {
        signed_zero(negative)
    } else {
        result
    }
}

fn signed_zero(negative: bool) -> Float {
    Float::with_val(PRECISION, if negative { -0.0 } else { 0.0 })
}

/// The reference of a function of MPFR.
pub fn one(function: OfOne) -> impl Fn(&Case<'_>) -> Expected {
    move |case| value(function(case.float(0, PRECISION)))
}

/// The reference of one of the functions of `ONE`, or of `sqrt`.
pub fn one_named(name: &str) -> impl Fn(&Case<'_>) -> Expected + use<> {
    let found = ONE.iter().find(|(known, ..)| *known == name);
    one(found.map_or(Float::sqrt as OfOne, |(.., function)| *function))
}

/// The reference of `half_sin` and similar functions, which are defined for arguments up to `most`.
pub fn angle(name: &str, most: f64) -> impl Fn(&Case<'_>) -> Expected + use<> {
    let inner = one_named(name);
    move |case| {
        if case.value(0).abs() > most {
            any()
        } else {
            inner(case)
        }
    }
}

pub fn add(case: &Case<'_>) -> Expected {
    let (x, y) = (case.value(0), case.value(1));
    sum(case, x + y, case.float(0, SUM) + case.float(1, SUM))
}

pub fn subtract(case: &Case<'_>) -> Expected {
    let (x, y) = (case.value(0), case.value(1));
    sum(case, x - y, case.float(0, SUM) - case.float(1, SUM))
}

/// The sign of a sum of zeros is that of IEEE 754, in MPFR and on the host.
fn sum(_case: &Case<'_>, host: f64, exact: Float) -> Expected {
    if exact.is_zero() {
        number(host)
    } else {
        value(exact)
    }
}

pub fn multiply(case: &Case<'_>) -> Expected {
    value(case.float(0, PRECISION) * case.float(1, PRECISION))
}

pub fn divide(case: &Case<'_>) -> Expected {
    value(case.float(0, PRECISION) / case.float(1, PRECISION))
}

pub fn reciprocal(case: &Case<'_>) -> Expected {
    value(case.float(0, PRECISION).recip())
}

pub fn sqrt(case: &Case<'_>) -> Expected {
    value(case.float(0, PRECISION).sqrt())
}

pub fn rsqrt(case: &Case<'_>) -> Expected {
    let x = case.value(0);
    if x == 0.0 {
        return number(f64::INFINITY.copysign(x));
    }
    value(case.float(0, PRECISION).recip_sqrt())
}

fn is_odd(x: f64) -> bool {
    is_integer(x) && (x % 2.0).abs() == 1.0
}

pub fn tgamma(case: &Case<'_>) -> Expected {
    let x = case.value(0);
    if x == f64::NEG_INFINITY || (x < 0.0 && is_integer(x)) {
        return number(f64::NAN);
    }
    // MPFR needs long for results that are far beyond any double.
    if x < -200.0 {
        let tiny: Float = Float::with_val(PRECISION, 1) >> 5000;
        return value(if is_odd(x.floor()) { -tiny } else { tiny });
    }
    if x > 200.0 {
        return value(Float::with_val(PRECISION, 1) << 5000);
    }
    value(case.float(0, PRECISION).gamma())
}

pub fn lgamma(case: &Case<'_>) -> Expected {
    value(case.float(0, PRECISION).ln_abs_gamma().0)
}

pub fn lgamma_r(case: &Case<'_>) -> Expected {
    let x = case.value(0);
    // At a pole the gamma function has no sign.
    let sign = if x.is_nan() || x == f64::NEG_INFINITY || (x <= 0.0 && is_integer(x)) {
        Answer::Any
    } else if x < 0.0 && is_odd(x.floor()) {
        Answer::Integer(vec![-1])
    } else {
        Answer::Integer(vec![1])
    };
    let mut expected = lgamma(case);
    expected.push(sign);
    expected
}

pub fn logb(case: &Case<'_>) -> Expected {
    let x = case.value(0);
    number(match case.float(0, PRECISION).get_exp() {
        Some(exponent) => f64::from(exponent - 1),
        None if x == 0.0 => f64::NEG_INFINITY,
        None => x.abs(),
    })
}

/// `FP_ILOGB0` and `FP_ILOGBNAN` may each be one of two numbers.
pub fn ilogb(case: &Case<'_>) -> Expected {
    let x = case.value(0);
    let (least, most) = (i128::from(i32::MIN), i128::from(i32::MAX));
    vec![Answer::Integer(match case.float(0, PRECISION).get_exp() {
        Some(exponent) => vec![i128::from(exponent - 1)],
        None if x == 0.0 => vec![least, -most],
        None if x.is_nan() => vec![most, least],
        None => vec![most],
    })]
}

pub fn nan(_: &Case<'_>) -> Expected {
    number(f64::NAN)
}

pub fn sinpi(case: &Case<'_>) -> Expected {
    let x = case.value(0);
    if is_integer(x) {
        return number(0f64.copysign(x));
    }
    value(case.float(0, PRECISION).sin_pi())
}

pub fn cospi(case: &Case<'_>) -> Expected {
    let x = case.value(0);
    if is_integer(x - 0.5) && is_odd(2.0 * x) {
        return number(0.0);
    }
    value(case.float(0, PRECISION).cos_pi())
}

pub fn tanpi(case: &Case<'_>) -> Expected {
    let x = case.value(0);
    if is_integer(x) {
        return number(0f64.copysign(if is_odd(x) { -x } else { x }));
    }
    if is_odd(2.0 * x) {
        let odd = is_odd(x - 0.5);
        return number(if odd {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        });
    }
    value(case.float(0, PRECISION).tan_pi())
}

pub fn atan2(case: &Case<'_>) -> Expected {
    value(case.float(0, PRECISION).atan2(&case.float(1, PRECISION)))
}

pub fn atan2pi(case: &Case<'_>) -> Expected {
    value(case.float(0, PRECISION).atan2_pi(&case.float(1, PRECISION)))
}

pub fn copysign(case: &Case<'_>) -> Expected {
    number(case.value(0).copysign(case.value(1)))
}

pub fn fdim(case: &Case<'_>) -> Expected {
    let (x, y) = (case.value(0), case.value(1));
    if x.is_nan() || y.is_nan() {
        number(f64::NAN)
    } else if x > y {
        value(case.float(0, SUM) - case.float(1, SUM))
    } else {
        number(0.0)
    }
}

/// The specification leaves open which of two different zeros results.
fn chosen(x: f64, y: f64, choice: f64) -> Expected {
    if x == 0.0 && y == 0.0 {
        return vec![Answer::OneOf(vec![x, y])];
    }
    vec![Answer::OneOf(vec![choice])]
}

pub fn fmax(case: &Case<'_>) -> Expected {
    let (x, y) = (case.value(0), case.value(1));
    chosen(x, y, x.max(y))
}

pub fn fmin(case: &Case<'_>) -> Expected {
    let (x, y) = (case.value(0), case.value(1));
    chosen(x, y, x.min(y))
}

pub fn maxmag(case: &Case<'_>) -> Expected {
    let (x, y) = (case.value(0), case.value(1));
    let choice = if x.abs() > y.abs() {
        x
    } else if y.abs() > x.abs() {
        y
    } else {
        x.max(y)
    };
    chosen(x, y, choice)
}

pub fn minmag(case: &Case<'_>) -> Expected {
    let (x, y) = (case.value(0), case.value(1));
    let choice = if x.abs() < y.abs() {
        x
    } else if y.abs() < x.abs() {
        y
    } else {
        x.min(y)
    };
    chosen(x, y, choice)
}

/// The result is undefined if an argument is a NaN.
pub fn max(case: &Case<'_>) -> Expected {
    let (x, y) = (case.value(0), case.value(1));
    if x.is_nan() || y.is_nan() {
        return any();
    }
    fmax(case)
}

/// As `max`.
pub fn min(case: &Case<'_>) -> Expected {
    let (x, y) = (case.value(0), case.value(1));
    if x.is_nan() || y.is_nan() {
        return any();
    }
    fmin(case)
}

pub fn step(case: &Case<'_>) -> Expected {
    let (edge, x) = (case.value(0), case.value(1));
    if x.is_nan() || edge.is_nan() {
        return any();
    }
    number(if x < edge { 0.0 } else { 1.0 })
}

pub fn clamp(case: &Case<'_>) -> Expected {
    let (x, low, high) = (case.value(0), case.value(1), case.value(2));
    if x.is_nan() || low.is_nan() || high.is_nan() || low > high {
        return any();
    }
    let choice = x.max(low).min(high);
    if choice == 0.0 {
        return vec![Answer::OneOf(vec![0.0, -0.0])];
    }
    number(choice)
}

pub fn fmod(case: &Case<'_>) -> Expected {
    // The host's operation is exact, and so is that of the type it came from.
    number(case.value(0) % case.value(1))
}

pub fn hypot(case: &Case<'_>) -> Expected {
    value(case.float(0, PRECISION).hypot(&case.float(1, PRECISION)))
}

pub fn nextafter(case: &Case<'_>) -> Expected {
    let (x, y) = (case.value(0), case.value(1));
    let format = case.format;
    number(if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        y
    } else if x == 0.0 {
        format.step(0f64.copysign(y), 1)
    } else if (x > 0.0) == (y > x) {
        format.step(x, 1)
    } else {
        format.step(x, -1)
    })
}

pub fn pow(case: &Case<'_>) -> Expected {
    value(power(case.float(0, PRECISION), &case.float(1, PRECISION)))
}

fn power(x: Float, y: &Float) -> Float {
    rug::ops::Pow::pow(x, y)
}

pub fn powr(case: &Case<'_>) -> Expected {
    let (x, y) = (case.value(0), case.value(1));
    let undefined = x.is_nan()
        || y.is_nan()
        || x < 0.0
        || (x == 1.0 && y.is_infinite())
        || (y == 0.0 && (x == 0.0 || x == f64::INFINITY));
    if undefined {
        return number(f64::NAN);
    }
    value(power(
        case.float(0, PRECISION).abs(),
        &case.float(1, PRECISION),
    ))
}

pub fn pown(case: &Case<'_>) -> Expected {
    pow(case)
}

pub fn rootn(case: &Case<'_>) -> Expected {
    let (x, n) = (case.value(0), case.integer(1) as i32);
    let odd = n % 2 != 0;
    if n == 0 || x.is_nan() || (x < 0.0 && !odd) {
        return number(f64::NAN);
    }
    let sign = if odd { 1f64.copysign(x) } else { 1.0 };
    if x == 0.0 || x.is_infinite() {
        let large = (x == 0.0) == (n < 0);
        return number(sign * if large { f64::INFINITY } else { 0.0 });
    }
    let logarithm = case.float(0, PRECISION + 64).abs().ln() / n;
    let root = Float::with_val(PRECISION, logarithm.exp());
    value(root * sign)
}

pub fn ldexp(case: &Case<'_>) -> Expected {
    // Beyond this exponent all results are zero or infinite.
    let n = case.integer(1).clamp(-5000, 5000) as i32;
    value(case.float(0, PRECISION) << n)
}

fn fused(case: &Case<'_>) -> Float {
    let product = case.float(0, FUSED) * case.float(1, FUSED);
    let (product_negative, exact_zero) = (product.is_sign_negative(), product.is_zero());
    let sum = Float::with_val(FUSED, &product + case.float(2, FUSED));
    let c = case.value(2);
    if sum.is_zero() && exact_zero && c == 0.0 {
        return signed_zero(product_negative && c.is_sign_negative());
    }
    sum
}

pub fn fma(case: &Case<'_>) -> Expected {
    value(fused(case))
}

/// The specification allows any error; here one of the two formulas must hold.
pub fn mad(case: &Case<'_>) -> Expected {
    let format = case.format;
    let fused = format.round(&fused(case), Rounding::Nearest);
    let product = case.float(0, PRECISION) * case.float(1, PRECISION);
    let product = format.round(&product, Rounding::Nearest);
    let host = product + case.value(2);
    let sum = Float::with_val(SUM, product) + case.float(2, SUM);
    let apart = if sum.is_zero() {
        host
    } else {
        format.round(&sum, Rounding::Nearest)
    };
    vec![Answer::OneOf(vec![fused, apart])]
}

pub fn sincos(case: &Case<'_>) -> Expected {
    let x = case.float(0, PRECISION);
    let (sine, cosine) = x.sin_cos(Float::new(PRECISION));
    vec![Answer::Value(sine), Answer::Value(cosine)]
}

fn half_turn() -> Float {
    Float::with_val(PRECISION, rug::float::Constant::Pi)
}

pub fn degrees(case: &Case<'_>) -> Expected {
    value(case.float(0, PRECISION) * 180 / half_turn())
}

pub fn radians(case: &Case<'_>) -> Expected {
    value(case.float(0, PRECISION) * half_turn() / 180)
}

pub fn sign(case: &Case<'_>) -> Expected {
    let x = case.value(0);
    number(if x.is_nan() {
        0.0
    } else if x == 0.0 {
        x
    } else {
        x.signum()
    })
}

pub fn mix(case: &Case<'_>) -> Expected {
    let difference = case.float(1, SUM) - case.float(0, SUM);
    value(case.float(0, SUM) + difference * case.float(2, SUM))
}

pub fn smoothstep(case: &Case<'_>) -> Expected {
    let (low, high) = (case.value(0), case.value(1));
    if low >= high {
        return any();
    }
    let distance = case.float(1, PRECISION) - case.float(0, PRECISION);
    let t = (case.float(2, PRECISION) - case.float(0, PRECISION)) / distance;
    let (zero, one) = (Float::with_val(PRECISION, 0), Float::with_val(PRECISION, 1));
    let t = t.clamp(&zero, &one);
    value(t.clone() * &t * (3 - 2 * t))
}
