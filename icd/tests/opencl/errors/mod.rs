//! Every error code that OpenCL 1.2 names for a function, provoked.
//!
//! `specification` says which codes there are; the files of the families provoke them.
//! A test is named after function, code and what is wrong:
//! `errors::buffer::clCreateBuffer::CL_INVALID_VALUE::flags_contradict_each_other`.
//! docs/generated/error-codes.md shows all of them, and that none is missing.

mod buffer;
mod command_queue;
mod context;
mod coverage;
mod device;
mod enqueue_buffer;
mod enqueue_image;
mod event;
mod execute;
mod image;
mod kernel;
mod mem_object;
mod objects;
mod platform;
mod program;
mod sampler;
mod specification;
#[allow(dead_code, reason = "the families are written one after another")]
mod stale;

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
///     clReleaseContext {
///         CL_INVALID_CONTEXT {
///             null: |_session| unsafe { clReleaseContext(null_mut()) },
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
