//! Calls of functions of the host program, which may throw or end their thread instead of
//! returning (`shim/calls.cpp`).
//!
//! Whichever thread calls it, a function finds the default floating-point environment, and
//! what it changes of that ends with it.

use super::function_types::{ContextCallback, NativeKernel};
use host_exec::floating_point::in_default_environment;
use host_exec::threads;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt;

type ObjectCallback = unsafe extern "C" fn(*mut c_void, *mut c_void);
type EventCallback = unsafe extern "C" fn(*mut c_void, c_int, *mut c_void);

unsafe extern "C" {
    fn mocl3_call_native_kernel(
        function: NativeKernel,
        arguments: *mut c_void,
        message: *mut c_char,
        size: usize,
    ) -> c_int;
    fn mocl3_call_object_callback(
        function: ObjectCallback,
        object: *mut c_void,
        user_data: *mut c_void,
        message: *mut c_char,
        size: usize,
    ) -> c_int;
    fn mocl3_call_event_callback(
        function: EventCallback,
        event: *mut c_void,
        status: c_int,
        user_data: *mut c_void,
        message: *mut c_char,
        size: usize,
    ) -> c_int;
    fn mocl3_call_context_callback(
        function: ContextCallback,
        text: *const c_char,
        user_data: *mut c_void,
        message: *mut c_char,
        size: usize,
    ) -> c_int;
}

/// Why a function did not return.
#[derive(Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// It threw a C++ exception with this message.
    Threw(String),
    /// It called `pthread_exit`, or something else unwound it.
    Unwound,
}

impl fmt::Display for Unfinished {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threw(message) => write!(formatter, "threw an exception ({message})"),
            Self::Unwound => write!(formatter, "ended its thread (pthread_exit)"),
        }
    }
}

/// Bytes kept of an exception's message.
const MESSAGE_SIZE: usize = 256;

/// Runs `call` with a buffer for an exception's message, and its size.
fn outcome(call: impl FnOnce(*mut c_char, usize) -> c_int) -> Result<(), Unfinished> {
    // As in shim/calls.cpp.
    const RETURNED: c_int = 0;
    const THREW: c_int = 1;
    let mut message = [0; MESSAGE_SIZE];
    let start = message.as_mut_ptr();
    match in_default_environment(|| call(start.cast(), MESSAGE_SIZE)) {
        RETURNED => Ok(()),
        THREW => {
            let text = CStr::from_bytes_until_nul(&message).unwrap_or_default();
            Err(Unfinished::Threw(text.to_string_lossy().into_owned()))
        }
        _ => {
            threads::request_end();
            Err(Unfinished::Unwound)
        }
    }
}

/// Calls a native kernel.
///
/// # Errors
/// It did not return.
///
/// # Safety
/// The function can be called with these arguments.
pub unsafe fn native_kernel(
    function: NativeKernel,
    arguments: *mut c_void,
) -> Result<(), Unfinished> {
    outcome(|message, size| {
        // SAFETY: as the caller promises; there is room for the message.
        unsafe { mocl3_call_native_kernel(function, arguments, message, size) }
    })
}

/// Calls the callback of a program or memory object.
///
/// # Errors
/// It did not return.
///
/// # Safety
/// The function can be called with these arguments.
pub unsafe fn object_callback(
    function: ObjectCallback,
    object: *mut c_void,
    user_data: *mut c_void,
) -> Result<(), Unfinished> {
    outcome(|message, size| {
        // SAFETY: as the caller promises; there is room for the message.
        unsafe { mocl3_call_object_callback(function, object, user_data, message, size) }
    })
}

/// Calls the callback of an event.
///
/// # Errors
/// It did not return.
///
/// # Safety
/// The function can be called with these arguments.
pub unsafe fn event_callback(
    function: EventCallback,
    event: *mut c_void,
    status: c_int,
    user_data: *mut c_void,
) -> Result<(), Unfinished> {
    outcome(|message, size| {
        // SAFETY: as the caller promises; there is room for the message.
        unsafe { mocl3_call_event_callback(function, event, status, user_data, message, size) }
    })
}

/// Calls the callback of a context, without private information.
///
/// # Errors
/// It did not return.
///
/// # Safety
/// The function can be called with these arguments.
pub unsafe fn context_callback(
    function: ContextCallback,
    text: &CStr,
    user_data: *mut c_void,
) -> Result<(), Unfinished> {
    outcome(|message, size| {
        // SAFETY: as the caller promises; there is room for the message.
        unsafe { mocl3_call_context_callback(function, text.as_ptr(), user_data, message, size) }
    })
}
