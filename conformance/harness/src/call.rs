//! Calls of OpenCL: each is counted, and the watchdog knows which a thread is in.
//!
//! Calls go to the system's loader. That pointers handed over point to what the call
//! needs for as long as it, or its command, needs it, is for the callers to see to: what
//! commands use is kept until they have ended (`model`, `activities`).

/// A code that is not `CL_SUCCESS`, and who returned it.
///
/// # Errors
/// Any other code.
pub fn check(function: &str, code: i32) -> anyhow::Result<()> {
    if code == cl_sys::CL_SUCCESS {
        return Ok(());
    }
    anyhow::bail!(
        "{function} returned {}",
        opencl3::error_codes::ClError(code)
    )
}

/// The code that a function returns.
#[macro_export]
macro_rules! code {
    ($function:ident ( $($argument:expr),* $(,)? )) => {{
        static COUNTER: $crate::counter::Counter =
            $crate::counter::Counter::new(stringify!($function));
        let _calling = $crate::watchdog::calling(&COUNTER);
        // SAFETY: see the module `call`.
        #[allow(unused_unsafe, reason = "closures that are unsafe already")]
        unsafe { cl_sys::$function($($argument),*) }
    }};
}

/// The function must succeed: `Result<()>`.
#[macro_export]
macro_rules! ok {
    ($function:ident ( $($argument:expr),* $(,)? )) => {
        $crate::call::check(
            stringify!($function),
            $crate::code!($function($($argument),*)),
        )
    };
}

/// The function, whose last argument `errcode_ret` is added, must create something:
/// `Result<*mut c_void>`.
#[macro_export]
macro_rules! made {
    ($function:ident ( $($argument:expr),* $(,)? )) => {{
        let mut code = -12345;
        let object = $crate::code!($function($($argument,)* &raw mut code));
        $crate::call::check(stringify!($function), code).map(|()| object)
    }};
}

pub use {code, made, ok};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_function_and_code() {
        let error = check("clFlush", -36).unwrap_err().to_string();
        assert_eq!(error, "clFlush returned CL_INVALID_COMMAND_QUEUE");
    }
}
