//! Every error code that OpenCL 1.2 names for a function, provoked.
//!
//! The crate `error-cases` lists the codes. `shared` runs its table of cases, whose portable part the
//! conformance suite runs as well. Only two groups of cases are tests of their own:
//! those that need a property of this platform's devices, and those that need a build that is still
//! running. Such a test is named after function, code and what is wrong:
//! `errors::held_builds::clBuildProgram::CL_INVALID_OPERATION::being_built`.
//! docs/generated/error-codes.md shows all of them, and that none is missing.

mod coverage;
mod device_properties;
mod held_builds;
mod shared;
mod unprovoked;

/// What a test provokes.
pub struct Provocation {
    pub function: &'static str,
    pub code: &'static str,
    /// What is wrong with the call, words joined by `_`.
    pub condition: &'static str,
}

inventory::collect!(Provocation);

/// Tests that provoke errors. Each body makes a call and ends with the code that the
/// function gave; it must be the code that the test stands under.
///
/// ```text
/// provoked! {
///     clGetDeviceIDs {
///         CL_DEVICE_NOT_FOUND {
///             no_gpu: |session| count(session, CL_DEVICE_TYPE_GPU),
///         }
///     }
/// }
/// ```
macro_rules! provoked {
    ($($function:ident {
        $($code:ident { $($condition:ident : |$session:pat_param| $body:expr),+ $(,)? })+
    })+) => {$(
        #[allow(non_snake_case, reason = "named as in the specification")]
        mod $function {$(
            mod $code {
                use super::super::*;
                $(
                    inventory::submit! {
                        crate::errors::Provocation {
                            function: stringify!($function),
                            code: stringify!($code),
                            condition: stringify!($condition),
                        }
                    }
                    #[test]
                    fn $condition() {
                        let body: fn(&crate::session::Session) -> cl_sys::cl_int =
                            |$session| $body;
                        assert_eq!(body(&crate::session::Session::open()), $code);
                    }
                )+
            }
        )+}
    )+};
}

use provoked;
