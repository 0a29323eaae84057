//! Functions of libvm that are computed for each lane: those for which LLVM has no instruction, and those that the
//! host's C library has for doubles with too large an error. Threads flush denormal numbers to zero while they run,
//! as the machine does.

use kernel_compiler::device_c::HostFunction;

/// The lanes of `lvector double`.
type Doubles = [f64; 16];

/// The lanes of `lvector float`.
type Singles = [f32; 32];

/// The lanes of `lvector signed int`.
type Integers = [i32; 32];

mod c_library {
    unsafe extern "C" {
        pub safe fn fdim(x: f64, y: f64) -> f64;
        pub safe fn ilogb(x: f64) -> i32;
        pub safe fn ldexp(x: f64, exponent: i32) -> f64;
        pub safe fn nextafter(x: f64, y: f64) -> f64;
        pub safe fn nextafterf(x: f32, y: f32) -> f32;
        pub fn frexp(x: f64, exponent: *mut i32) -> f64;
    }
}

/// Functions with zeros in place of denormal arguments and results, which they do not expect to count as zero.
macro_rules! without_denormals {
    ($($name:ident of $symbol:literal($($argument:ident),*);)*) => {
        $(
            pub fn $name($($argument: f64),*) -> f64 {
                unsafe extern "C" {
                    #[link_name = $symbol]
                    safe fn function($($argument: f64),*) -> f64;
                }
                flushed(function($(flushed($argument)),*))
            }
        )*
    };
}

/// Those of the C library for doubles: of floats, all have small errors.
mod double {
    use super::flushed;

    without_denormals! {
        acosh of "acosh"(x);
        asinh of "asinh"(x);
        atan2 of "atan2"(y, x);
        atanh of "atanh"(x);
        cbrt of "cbrt"(x);
        cosh of "cosh"(x);
        erf of "erf"(x);
        erfc of "erfc"(x);
        exp10 of "exp10"(x);
        expm1 of "expm1"(x);
        hypot of "hypot"(x, y);
        log of "log"(x);
        log10 of "log10"(x);
        log1p of "log1p"(x);
        log2 of "log2"(x);
        pow of "pow"(x, y);
        sinh of "sinh"(x);
        tanh of "tanh"(x);
        tgamma of "tgamma"(x);
    }
}

/// Those of `wide_math.c`.
mod wide {
    use super::flushed;

    without_denormals! {
        acosh of "mocl3_acosh"(x);
        asinh of "mocl3_asinh"(x);
        atanh of "mocl3_atanh"(x);
        cbrt of "mocl3_cbrt"(x);
        cosh of "mocl3_cosh"(x);
        cospi of "mocl3_cospi"(x);
        erf of "mocl3_erf"(x);
        erfc of "mocl3_erfc"(x);
        exp10 of "mocl3_exp10"(x);
        expm1 of "mocl3_expm1"(x);
        hypot of "mocl3_hypot"(x, y);
        lgamma of "mocl3_lgamma"(x);
        log10 of "mocl3_log10"(x);
        log1p of "mocl3_log1p"(x);
        sinh of "mocl3_sinh"(x);
        sinpi of "mocl3_sinpi"(x);
        tanh of "mocl3_tanh"(x);
        tgamma of "mocl3_tgamma"(x);
    }
}

/// Zero of the same sign in place of a denormal.
fn flushed(x: f64) -> f64 {
    if x.abs() < f64::MIN_POSITIVE {
        0f64.copysign(x)
    } else {
        x
    }
}

/// The mantissa of a number, of a magnitude from 0.5 to 1.
fn frfrexp(x: f64) -> f64 {
    let mut exponent = 0;
    // SAFETY: the exponent is a number of this function.
    unsafe { c_library::frexp(x, &raw mut exponent) }
}

macro_rules! of_one {
    ($list:ident: $($double:ident of $of_double:path, $single:ident of $of_single:path;)*) => {
        $(
            /// # Safety
            /// Both are vectors of the calling code, and may be the same.
            unsafe extern "C" fn $double(result: *mut Doubles, a: *const Doubles) {
                // SAFETY: as the caller promises.
                unsafe { result.write((*a).map(|a| $of_double(a))) };
            }

            /// # Safety
            /// Both are vectors of the calling code, and may be the same.
            unsafe extern "C" fn $single(result: *mut Singles, a: *const Singles) {
                // SAFETY: as the caller promises.
                unsafe { result.write((*a).map(|a| $of_single(a.into()) as f32)) };
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
    __ht_vm_sinpi_double of wide::sinpi, __ht_vm_sinpi_float of wide::sinpi;
    __ht_vm_cospi_double of wide::cospi, __ht_vm_cospi_float of wide::cospi;
    __ht_vm_sinh_double of wide::sinh, __ht_vm_sinh_float of double::sinh;
    __ht_vm_cosh_double of wide::cosh, __ht_vm_cosh_float of double::cosh;
    __ht_vm_tanh_double of wide::tanh, __ht_vm_tanh_float of double::tanh;
    __ht_vm_asinh_double of wide::asinh, __ht_vm_asinh_float of double::asinh;
    __ht_vm_acosh_double of wide::acosh, __ht_vm_acosh_float of double::acosh;
    __ht_vm_atanh_double of wide::atanh, __ht_vm_atanh_float of double::atanh;
    __ht_vm_log_double of double::log, __ht_vm_log_float of double::log;
    __ht_vm_log2_double of double::log2, __ht_vm_log2_float of double::log2;
    __ht_vm_log10_double of wide::log10, __ht_vm_log10_float of double::log10;
    __ht_vm_log1p_double of wide::log1p, __ht_vm_log1p_float of double::log1p;
    __ht_vm_exp10_double of wide::exp10, __ht_vm_exp10_float of double::exp10;
    __ht_vm_expm1_double of wide::expm1, __ht_vm_expm1_float of double::expm1;
    __ht_vm_cbrt_double of wide::cbrt, __ht_vm_cbrt_float of double::cbrt;
    __ht_vm_lgamma_double of wide::lgamma, __ht_vm_lgamma_float of wide::lgamma;
    __ht_vm_tgamma_double of wide::tgamma, __ht_vm_tgamma_float of double::tgamma;
    __ht_vm_erf_double of wide::erf, __ht_vm_erf_float of double::erf;
    __ht_vm_erfc_double of wide::erfc, __ht_vm_erfc_float of double::erfc;
    __ht_vm_frfrexp_double of frfrexp, __ht_vm_frfrexp_float of frfrexp;
}

of_two! { functions_of_two:
    __ht_vm_atan2_double Doubles: double::atan2;
    __ht_vm_atan2_float Singles: |a: f32, b: f32| double::atan2(a.into(), b.into()) as f32;
    __ht_vm_pow_double Doubles: double::pow;
    __ht_vm_pow_float Singles: |a: f32, b: f32| double::pow(a.into(), b.into()) as f32;
    __ht_vm_hypot_double Doubles: wide::hypot;
    __ht_vm_hypot_float Singles: |a: f32, b: f32| double::hypot(a.into(), b.into()) as f32;
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
    use super::wide::{cospi, sinpi};

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
