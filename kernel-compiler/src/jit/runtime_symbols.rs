//! The functions outside a program that its native code may call: the C library's
//! mathematics, memory functions that LLVM makes calls of, the DMA engine, and `printf`.
//!
//! Of the mathematics the builtins call only `lgamma`, `tgamma` and `lgamma_r`, and on hosts
//! without SSE4.1, FMA or F16C roundings, `fma` and conversions; clang's own `__builtin_` functions,
//! which kernels may use, become calls of all the others.

use crate::intrinsics::{
    AGREED_ARRIVAL, COMPARE, DEFINED_MEMORY, DMA_ACCESS, DMA_TRANSFER, DMA_WAIT, IMAGE_FINDING,
    MEMORY_ALLOWS, MEMORY_FINDING, NEXT_ARRIVAL, NEXT_TRANSFER, RACE_ACCESS, RACE_FINDING,
    RACE_ROWS, SHADOW_TRANSFER, UNDEFINED_FINDING,
};
use crate::passes::counter_slice::RECORDED_TRANSFER;
use crate::passes::footprints::{RECORD_LANES, RECORD_LOAD};
use crate::passes::instrumentation::{TIMED_TRANSFER, TIMED_WAIT};
use crate::printf;
use host_exec::definedness::uses;
use host_exec::dma_checker::checker as dma;
use host_exec::{abi, barrier, footprints, memory_checker, races};
use std::ffi::c_void;

macro_rules! table {
    ($($name:ident)*) => {
        mod symbols {
            unsafe extern "C" {
                $(pub fn $name();)*
            }
        }
        /// Names and addresses; checked code, which reports its accesses, has others.
        pub fn host_functions(checked: bool) -> Vec<(&'static str, *const c_void)> {
            let transfer = match checked {
                true => abi::checked_transfer as *const c_void,
                false => abi::transfer as *const c_void,
            };
            vec![
                (DMA_TRANSFER, transfer),
                (DMA_WAIT, dma::checked_wait as *const c_void),
                (DMA_ACCESS, dma::access as *const c_void),
                (NEXT_TRANSFER, dma::next_transfer as *const c_void),
                (MEMORY_FINDING, memory_checker::report as *const c_void),
                (IMAGE_FINDING, memory_checker::report_image as *const c_void),
                (MEMORY_ALLOWS, memory_checker::allows as *const c_void),
                (AGREED_ARRIVAL, barrier::agreed_arrival as *const c_void),
                (NEXT_ARRIVAL, barrier::next_arrival as *const c_void),
                (COMPARE, barrier::checker::compare as *const c_void),
                (UNDEFINED_FINDING, uses::report as *const c_void),
                (DEFINED_MEMORY, uses::define as *const c_void),
                (RACE_FINDING, races::checker::report as *const c_void),
                (RACE_ACCESS, races::access::access as *const c_void),
                (RACE_ROWS, races::access::rows as *const c_void),
                (SHADOW_TRANSFER, uses::transfer as *const c_void),
                (TIMED_TRANSFER, abi::timed_transfer as *const c_void),
                (RECORDED_TRANSFER, abi::recorded_transfer as *const c_void),
                (TIMED_WAIT, abi::timed_wait as *const c_void),
                (RECORD_LOAD, footprints::load as *const c_void),
                (RECORD_LANES, footprints::lanes as *const c_void),
                (printf::FUNCTION, printf::printf as *const c_void),
            ]
            .into_iter()
            .chain(c_library())
            .collect()
        }

        /// The functions of the C library, with their addresses.
        pub fn c_library() -> Vec<(&'static str, *const c_void)> {
            vec![$((stringify!($name), symbols::$name as *const c_void),)*]
        }
    };
}

#[allow(clashing_extern_declarations, reason = "only addresses are taken")]
mod table {
    use super::*;
    table! {
        memcpy memmove memset memcmp bcmp
        acos acosf acosh acoshf asin asinf asinh asinhf atan atanf atan2 atan2f atanh atanhf
        cbrt cbrtf ceil ceilf copysign copysignf cos cosf cosh coshf erf erff erfc erfcf
        exp expf exp2 exp2f exp10 exp10f expm1 expm1f fabs fabsf fdim fdimf floor floorf
        fma fmaf fmax fmaxf fmin fminf fmod fmodf frexp frexpf hypot hypotf ilogb ilogbf
        ldexp ldexpf lgamma lgammaf lgamma_r log logf log10 log10f log1p log1pf
        log2 log2f logb logbf modf modff nearbyint nearbyintf nextafter nextafterf
        pow powf remainder remainderf rint rintf round roundf roundeven
        roundevenf scalbn scalbnf sin sinf sincos sincosf sinh sinhf sqrt sqrtf tan tanf
        tanh tanhf tgamma tgammaf trunc truncf
        __extendhfsf2 __truncsfhf2 __truncdfhf2
    }
}
pub use table::{c_library, host_functions};

/// Whether native code may call a function of that name.
pub fn is_host_function(name: &str) -> bool {
    host_functions(false)
        .iter()
        .any(|(known, _)| *known == name)
}
