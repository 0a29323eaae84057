//! Calls the host program's callbacks and native kernels.
//!
//! A host program that hands over a function vouches, as the specification demands,
//! that it can be called from any thread with the user data given, until it has been
//! called or, for a context, until the context is gone. The `unsafe` blocks rely on it.
//!
//! A callback that throws, or ends its thread, counts as returned; a native kernel that does
//! so has failed.

mod calls;
mod function_types;

pub use function_types::{
    ContextCallback, EventCallback, MemObjectCallback, NativeKernel, ProgramCallback,
};

use crate::fault;
use calls::Unfinished;
use cl_sys::{cl_event, cl_mem, cl_program};
use runtime::context::ContextNotify;
use runtime::error::{Code, Error, Result};
use runtime::event::ExecutionStatus;
use std::ffi::{CString, c_void};

/// A pointer of the host program that we hand back to it without looking at it.
#[derive(Clone, Copy)]
pub struct Opaque(*mut c_void);

// SAFETY: only carried, never dereferenced; what it points to is the host program's.
unsafe impl Send for Opaque {}
// SAFETY: as above.
unsafe impl Sync for Opaque {}

impl Opaque {
    // A method, so that closures capture the whole and not the raw pointer in it.
    fn pointer(self) -> *mut c_void {
        self.0
    }
}

/// User data without a function to give it to is a mistake.
///
/// # Errors
/// `InvalidValue`.
pub fn check_user_data(has_function: bool, user_data: *mut c_void) -> Result<()> {
    if !has_function && !user_data.is_null() {
        return Err(Error::new(
            Code::InvalidValue,
            "user_data is not NULL but pfn_notify is",
        ));
    }
    Ok(())
}

/// The callback of a context.
///
/// # Errors
/// `InvalidValue`: user data without a function.
pub fn context_notify(
    function: Option<ContextCallback>,
    user_data: *mut c_void,
) -> Result<Option<ContextNotify>> {
    check_user_data(function.is_some(), user_data)?;
    let user_data = Opaque(user_data);
    Ok(function.map(|function| -> ContextNotify {
        Box::new(move |sentence| {
            let text: Vec<u8> = sentence.bytes().filter(|byte| *byte != 0).collect();
            let text = CString::new(text).unwrap_or_default();
            // SAFETY: see the module; there is no private information to pass on.
            let outcome = unsafe { calls::context_callback(function, &text, user_data.pointer()) };
            log(outcome, "callback of a context");
        })
    }))
}

/// The callback of a build, compilation or link of a program. The user data must have
/// been checked.
pub fn program_notify(
    function: ProgramCallback,
    program: cl_program,
    user_data: *mut c_void,
) -> Box<dyn FnOnce() + Send> {
    let (program, user_data) = (Opaque(program), Opaque(user_data));
    Box::new(move || {
        // SAFETY: see the module.
        let outcome =
            unsafe { calls::object_callback(function, program.pointer(), user_data.pointer()) };
        log(outcome, "callback of a program");
    })
}

/// The callback of an event.
pub fn event_notify(
    function: EventCallback,
    event: cl_event,
    user_data: *mut c_void,
) -> Box<dyn FnOnce(ExecutionStatus) + Send> {
    let (event, user_data) = (Opaque(event), Opaque(user_data));
    Box::new(move |status| {
        for _ in 0..fault::event_callback_calls() {
            let (event, user_data) = (event.pointer(), user_data.pointer());
            // SAFETY: see the module.
            let outcome =
                unsafe { calls::event_callback(function, event, status.value(), user_data) };
            log(outcome, "callback of an event");
        }
    })
}

/// The destructor callback of a memory object.
pub fn mem_object_notify(
    function: MemObjectCallback,
    memobj: cl_mem,
    user_data: *mut c_void,
) -> Box<dyn FnOnce() + Send> {
    let (memobj, user_data) = (Opaque(memobj), Opaque(user_data));
    Box::new(move || {
        // SAFETY: see the module.
        let outcome =
            unsafe { calls::object_callback(function, memobj.pointer(), user_data.pointer()) };
        log(outcome, "callback of a memory object");
    })
}

/// Calls the function of a native kernel.
///
/// # Errors
/// `OutOfResources`: it threw, or ended its thread.
pub fn run_native_kernel(function: NativeKernel, arguments: *mut c_void) -> Result<()> {
    // SAFETY: see the module; `arguments` is our copy of the host program's block, or
    // null if it gave none.
    let outcome = unsafe { calls::native_kernel(function, arguments) };
    outcome.map_err(|unfinished| {
        let sentence = format!("a native kernel {unfinished}");
        log::error!("{sentence}");
        Error::new(Code::OutOfResources, sentence)
    })
}

/// No caller is left to return an error to.
fn log(outcome: std::result::Result<(), Unfinished>, what: &str) {
    if let Err(unfinished) = outcome {
        log::error!("a {what} {unfinished}; it counts as returned");
    }
}
