//! What LLVM itself has to say of a program while it is compiled. Left alone, LLVM writes
//! to the host program's standard error, and ends the process at an error.

use super::Context;
use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::core::{
    LLVMContextSetDiagnosticHandler, LLVMDisposeMessage, LLVMGetDiagInfoDescription,
    LLVMGetDiagInfoSeverity,
};
use llvm_sys::prelude::LLVMDiagnosticInfoRef;
use std::cell::RefCell;
use std::ffi::{CStr, c_void};

/// The errors of a context; warnings and remarks go to the log.
pub struct Errors(Box<RefCell<Vec<String>>>);

impl Errors {
    /// Listens to `context`, which must not be used after this is dropped.
    pub fn collect(context: &Context) -> Self {
        let errors = Box::new(RefCell::new(Vec::new()));
        // SAFETY: the handler gets the box, which lives as long as the context is used.
        unsafe {
            LLVMContextSetDiagnosticHandler(
                context.as_raw(),
                Some(hear),
                (&raw const *errors).cast_mut().cast(),
            );
        }
        Self(errors)
    }

    /// The first error.
    pub fn first(&self) -> Option<String> {
        self.0.borrow().first().cloned()
    }
}

extern "C" fn hear(diagnostic: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    // SAFETY: LLVM passes a diagnostic that lives during the call; the text is ours to free.
    let (severity, text) = unsafe {
        let text = LLVMGetDiagInfoDescription(diagnostic);
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        (LLVMGetDiagInfoSeverity(diagnostic), owned)
    };
    if severity != LLVMDiagnosticSeverity::LLVMDSError {
        log::debug!("LLVM: {text}");
        return;
    }
    // SAFETY: it is the RefCell that `of` passed, used by the thread that compiles.
    let errors = unsafe { &*errors.cast::<RefCell<Vec<String>>>() };
    errors.borrow_mut().push(text);
}
