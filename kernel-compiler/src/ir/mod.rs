//! LLVM IR as the passes of this crate see it: small copyable references to
//! values, blocks and types, over LLVM's C interface.
//!
//! Not inkwell's values: there each kind of value is a type of its own, while passes
//! clone, move and rewire instructions of all kinds alike.
//!
//! `handle` states how long a reference may be used.

pub use llvm_sys::{LLVMOpcode as Opcode, LLVMTypeKind as TypeKind};

/// Calls LLVM's C interface.
macro_rules! llvm {
    ($($call:tt)*) => {
        // SAFETY: the references are to parts of a live module, which one thread uses (see the
        // invariant in `handle`).
        unsafe { $($call)* }
    };
}

mod block;
mod builder;
pub mod diagnostics;
mod ffi;
mod function;
mod handle;
mod metadata;
mod module;
mod source_file;
mod types;
mod value;
mod vector;

pub use builder::Builder;
pub use ffi::c_string;
pub use handle::{Block, DataLayout, SourceFile, Type, Value};
pub use metadata::{
    Metadata, metadata_constant, metadata_kind, metadata_loop_id, metadata_node, metadata_text,
};
pub use module::{add_constant_bytes, add_function, function, functions, globals};
pub use vector::constant_vector;
