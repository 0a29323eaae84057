//! Functions of libvm for which LLVM has no instruction: for each lane, that of the host's C library. Threads
//! flush denormal numbers to zero while they run, as the machine does.

use kernel_compiler::device_c::HostFunction;
use std::f64::consts::PI;

/// The lanes of `lvector double`.
type Doubles = [f64; 16];

/// The lanes of `lvector float`.
type Singles = [f32; 32];

/// The lanes of `lvector signed int`.
type Integers = [i32; 32];

/// What π is more than its nearest number.
const PI_REST: f64 = 1.224_646_799_147_353_2e-16;

mod c_library {
    unsafe extern "C" {
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn atanh(x: f64) -> f64;
        pub safe fn cbrt(x: f64) -> f64;
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn expm1(x: f64) -> f64;
        pub safe fn fdim(x: f64, y: f64) -> f64;
        pub safe fn hypot(x: f64, y: f64) -> f64;
        pub safe fn ilogb(x: f64) -> i32;
        pub safe fn ldexp(x: f64, exponent: i32) -> f64;
        pub safe fn lgamma(x: f64) -> f64;
        pub safe fn log1p(x: f64) -> f64;
        pub safe fn nextafter(x: f64, y: f64) -> f64;
        pub safe fn nextafterf(x: f32, y: f32) -> f32;
        pub safe fn tgamma(x: f64) -> f64;
        pub fn frexp(x: f64, exponent: *mut i32) -> f64;
    }
}

/// sin(π x) and cos(π x).
fn sine_and_cosine_of_pi(x: f64) -> (f64, f64) {
    // Quarters of a turn are exact.
    let quarters = (2.0 * x).round_ties_even();
    let rest = x - quarters / 2.0;
    let angle = PI * rest;
    let error = PI.mul_add(rest, -angle) + PI_REST * rest;
    let (sine, cosine) = angle.sin_cos();
    let (sine, cosine) = (error.mul_add(cosine, sine), error.mul_add(-sine, cosine));
    match quarters.rem_euclid(4.0) {
        0.0 => (sine, cosine),
        1.0 => (cosine, -sine),
        2.0 => (-sine, -cosine),
        3.0 => (-cosine, sine),
        _ => (f64::NAN, f64::NAN),
    }
}

fn sinpi(x: f64) -> f64 {
    sine_and_cosine_of_pi(x).0
}

fn cospi(x: f64) -> f64 {
    sine_and_cosine_of_pi(x).1
}

/// The mantissa of a number, of a magnitude from 0.5 to 1.
fn frfrexp(x: f64) -> f64 {
    let mut exponent = 0;
    // SAFETY: the exponent is a number of this function.
    unsafe { c_library::frexp(x, &raw mut exponent) }
}

macro_rules! of_one {
    ($list:ident: $($double:ident $single:ident: $function:path;)*) => {
        $(
            /// # Safety
            /// Both are vectors of the calling code, and may be the same.
            unsafe extern "C" fn $double(result: *mut Doubles, a: *const Doubles) {
                // SAFETY: as the caller promises.
                unsafe { result.write((*a).map(|a| $function(a))) };
            }

            /// # Safety
            /// Both are vectors of the calling code, and may be the same.
            unsafe extern "C" fn $single(result: *mut Singles, a: *const Singles) {
                // SAFETY: as the caller promises.
                unsafe { result.write((*a).map(|a| $function(a.into()) as f32)) };
            }
        )*

        fn $list() -> Vec<HostFunction> {
            vec![$(
                (stringify!($double), $double as *const () as usize),
                (stringify!($single), $single as *const () as usize),
            )*]
        }
    };
}

macro_rules! of_two {
    ($list:ident: $($name:ident $lanes:ident: $function:expr;)*) => {
        $(
            /// # Safety
            /// These are vectors of the calling code.
            unsafe extern "C" fn $name(result: *mut $lanes, a: *const $lanes, b: *const $lanes) {
                // SAFETY: as the caller promises.
                let (a, b) = unsafe { (*a, *b) };
                let function = |a, b| $function(a, b);
                let lanes = std::array::from_fn(|lane| function(a[lane], b[lane]));
                // SAFETY: as the caller promises.
                unsafe { result.write(lanes) };
            }
        )*

        fn $list() -> Vec<HostFunction> {
            vec![$((stringify!($name), $name as *const () as usize),)*]
        }
    };
}

of_one! { functions_of_one:
    __ht_vm_sinpi_double __ht_vm_sinpi_float: sinpi;
    __ht_vm_cospi_double __ht_vm_cospi_float: cospi;
    __ht_vm_asinh_double __ht_vm_asinh_float: c_library::asinh;
    __ht_vm_acosh_double __ht_vm_acosh_float: c_library::acosh;
    __ht_vm_atanh_double __ht_vm_atanh_float: c_library::atanh;
    __ht_vm_log1p_double __ht_vm_log1p_float: c_library::log1p;
    __ht_vm_expm1_double __ht_vm_expm1_float: c_library::expm1;
    __ht_vm_cbrt_double __ht_vm_cbrt_float: c_library::cbrt;
    __ht_vm_lgamma_double __ht_vm_lgamma_float: c_library::lgamma;
    __ht_vm_tgamma_double __ht_vm_tgamma_float: c_library::tgamma;
    __ht_vm_erf_double __ht_vm_erf_float: c_library::erf;
    __ht_vm_erfc_double __ht_vm_erfc_float: c_library::erfc;
    __ht_vm_frfrexp_double __ht_vm_frfrexp_float: frfrexp;
}

of_two! { functions_of_two:
    __ht_vm_hypot_double Doubles: c_library::hypot;
    __ht_vm_hypot_float Singles: |a: f32, b: f32| c_library::hypot(a.into(), b.into()) as f32;
    __ht_vm_fdim_double Doubles: c_library::fdim;
    __ht_vm_fdim_float Singles: |a: f32, b: f32| c_library::fdim(a.into(), b.into()) as f32;
    __ht_vm_nextafter_double Doubles: c_library::nextafter;
    __ht_vm_nextafter_float Singles: c_library::nextafterf;
}

/// # Safety
/// These are vectors of the calling code.
unsafe extern "C" fn __ht_vm_ldexp(
    result: *mut Doubles,
    a: *const Doubles,
    exponents: *const Integers,
) {
    // SAFETY: as the caller promises.
    let (a, exponents) = unsafe { (*a, *exponents) };
    let lanes = std::array::from_fn(|lane| c_library::ldexp(a[lane], exponents[lane]));
    // SAFETY: as the caller promises.
    unsafe { result.write(lanes) };
}

/// The exponents of doubles, those of `first` added; the other lanes are 0. That of zero is 0 if `first` is not,
/// as frexp has it.
///
/// # Safety
/// These are vectors of the calling code.
unsafe extern "C" fn __ht_vm_exponents(result: *mut Integers, a: *const Doubles, first: i32) {
    // SAFETY: as the caller promises.
    let a = unsafe { *a };
    let mut lanes = [0; 32];
    for (lane, a) in lanes.iter_mut().zip(a) {
        let has_exponent = first == 0 || (a != 0.0 && a.is_finite());
        if has_exponent {
            *lane = c_library::ilogb(a).saturating_add(first);
        }
    }
    // SAFETY: as the caller promises.
    unsafe { result.write(lanes) };
}

/// The functions with their addresses.
pub fn functions() -> Vec<HostFunction> {
    let mut all = functions_of_one();
    all.extend(functions_of_two());
    all.push(("__ht_vm_ldexp", __ht_vm_ldexp as *const () as usize));
    all.push(("__ht_vm_exponents", __ht_vm_exponents as *const () as usize));
    all
}

#[cfg(test)]
mod tests {
    use super::{cospi, sinpi};

    #[test]
    fn multiples_of_half_turns_are_exact() {
        for half in -20..20_i32 {
            let x = f64::from(half) / 2.0;
            let (sine, cosine) = match half.rem_euclid(4) {
                0 => (0.0, 1.0),
                1 => (1.0, 0.0),
                2 => (0.0, -1.0),
                _ => (-1.0, 0.0),
            };
            assert_eq!((sinpi(x), cospi(x)), (sine, cosine), "{x}");
        }
        assert!((sinpi(1.0 / 6.0) - 0.5).abs() < 1e-16);
        assert!((sinpi(1e15 + 0.25) - 0.5f64.sqrt()).abs() < 1e-15);
        assert!(sinpi(f64::INFINITY).is_nan() && cospi(f64::NAN).is_nan());
    }
}
