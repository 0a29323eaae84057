//! LLVM IR as the passes of this crate see it: small copyable handles of
//! values, blocks and types, over LLVM's C interface.
//!
//! Not inkwell's values: there each kind of value is a type of its own, while passes
//! clone, move and rewire instructions of all kinds alike.
//!
//! `handle` states why no handle can reach freed memory.

pub use llvm_sys::{LLVMOpcode as Opcode, LLVMTypeKind as TypeKind};

/// Calls LLVM's C interface.
macro_rules! llvm {
    ($($call:tt)*) => {
        // SAFETY: the handles are of live parts, which one thread uses (see the invariant in
        // `handle`).
        unsafe { $($call)* }
    };
}

mod block;
mod builder;
mod constant;
mod debug_info;
pub mod diagnostics;
mod epoch;
mod ffi;
mod function;
mod graveyard;
mod handle;
mod metadata;
mod module;
mod owner;
mod predicate;
mod shuffles;
mod source_file;
#[cfg(test)]
mod tests;
mod types;
mod undefined;
mod value;
mod vector;

pub use builder::Builder;
pub use debug_info::{Field, VariableAddress, separate_scopes};
pub use ffi::c_string;
pub use handle::{Block, ContextRef, DataLayout, MetadataRef, ModuleRef, SourceFile, Type, Value};
pub use metadata::{
    Metadata, metadata_constant, metadata_distinct, metadata_kind, metadata_loop_id, metadata_node,
    metadata_text,
};
pub use module::{
    add_constant_bytes, add_constant_pointers, add_function, add_query, add_variable, context,
    function, functions, globals, take_assembly,
};
pub use owner::{Context, Module};
pub use predicate::{inverse, swapped};
pub use undefined::{
    ArgumentShadow, MARKER, UndefinedOrigin, UndefinedUse, check_uninitialised,
    check_uninitialised_by_address,
};
pub use value::InlineAssembly;
pub use vector::constant_vector;
