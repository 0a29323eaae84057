//! References to parts of a module.
//!
//! # Invariant
//!
//! A reference is only used while its module lives, and not after the part that it refers to was
//! erased, by [`Value::erase`] or by a pass of LLVM. LLVM would read freed memory otherwise, which
//! the type system does not prevent: the references are `Copy`, since passes keep them in maps
//! while they rewire the module. The rules that keep to the invariant:
//!
//! - The pointers are private to `ir`, so that every reference comes from LLVM for a live part.
//! - `pipeline::compilation` owns the module. A stage looks functions up again after it has run
//!   passes of LLVM, and keeps no reference across them.
//! - A pass erases a value last, after its uses are replaced, and drops the maps that hold it.

use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMMetadataRef, LLVMTypeRef, LLVMValueRef};
use llvm_sys::target::LLVMTargetDataRef;

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block(pub(in crate::ir) LLVMBasicBlockRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(pub(in crate::ir) LLVMTypeRef);

/// Sizes and alignments of types.
#[derive(Clone, Copy)]
pub struct DataLayout(pub(in crate::ir) LLVMTargetDataRef);

/// A value: instruction, argument, constant, function or global variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(pub(in crate::ir) LLVMValueRef);

/// A source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SourceFile(pub(in crate::ir) LLVMMetadataRef);
