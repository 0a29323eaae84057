//! LLVM IR as the passes of this crate see it: small copyable references to
//! values, blocks and types, over LLVM's C interface.
//!
//! Not inkwell's values: there each kind of value is a type of its own, while passes
//! clone, move and rewire instructions of all kinds alike.
//!
//! A reference is valid as long as its module; the passes hold the module for as
//! long as they run, and use no reference to what they have erased.

use llvm_sys::core::LLVMDisposeMessage;
use std::ffi::{CStr, CString};

pub use llvm_sys::{LLVMOpcode as Opcode, LLVMTypeKind as TypeKind};

/// Calls LLVM's C interface.
macro_rules! llvm {
    ($($call:tt)*) => {
        // SAFETY: the references passed belong to the module the caller works on,
        // which is alive and used by this thread only (see the module's comment).
        unsafe { $($call)* }
    };
}

mod block;
mod builder;
pub mod diagnostics;
mod function;
mod metadata;
mod module;
mod source_file;
mod types;
mod value;
mod vector;

pub use block::Block;
pub use builder::Builder;
pub use metadata::{
    Metadata, metadata_constant, metadata_kind, metadata_loop_id, metadata_node, metadata_text,
};
pub use module::{add_constant_bytes, add_function, function, functions, globals};
pub use source_file::SourceFile;
pub use types::{DataLayout, Type};
pub use value::Value;
pub use vector::constant_vector;

fn some<T>(pointer: *mut T) -> Option<*mut T> {
    (!pointer.is_null()).then_some(pointer)
}

/// LLVM takes names as C strings; ours have no NUL.
pub fn c_string(text: &str) -> CString {
    CString::new(text).expect("names in this crate hold no NUL")
}

/// A message of LLVM's, freed.
fn taken(text: *mut std::ffi::c_char) -> String {
    // SAFETY: LLVM gives a NUL-terminated string that is ours to free, once.
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        owned
    }
}
