//! Calls of OpenCL functions through the system's loader. Each call is counted, and the watchdog
//! knows which call a thread is in.
//!
//! Callers guarantee that pointers are valid until the call or its command has ended. The modules
//! `model` and `activities` keep what commands use until then.

/// Converts a code other than `CL_SUCCESS` into an error that names the function.
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

/// Calls a function. Returns its code.
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

/// Calls a function that must succeed: `Result<()>`.
#[macro_export]
macro_rules! ok {
    ($function:ident ( $($argument:expr),* $(,)? )) => {
        $crate::call::check(
            stringify!($function),
            $crate::code!($function($($argument),*)),
        )
    };
}

/// Calls a function, with `errcode_ret` added as last argument, that must create an object:
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
