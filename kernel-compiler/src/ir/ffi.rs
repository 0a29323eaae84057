//! Strings and pointers of LLVM's C interface.

use llvm_sys::core::LLVMDisposeMessage;
use std::ffi::{CStr, CString};

/// A pointer that is not null.
pub fn some<T>(pointer: *mut T) -> Option<*mut T> {
    (!pointer.is_null()).then_some(pointer)
}

/// LLVM takes names as C strings; ours have no NUL.
pub fn c_string(text: &str) -> CString {
    CString::new(text).expect("names in this crate hold no NUL")
}

/// Copies a message of LLVM and frees it.
pub fn taken(text: *mut std::ffi::c_char) -> String {
    // SAFETY: LLVM gives a NUL-terminated string that is ours to free, once.
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        owned
    }
}
