//! Handles of parts of a module. They are `Copy`, since passes keep them in maps while they rewire
//! the module, so that the borrow checker cannot tie them to the part.
//!
//! # Invariant
//!
//! Safe code cannot reach freed memory by a handle:
//!
//! - A handle is of the epoch in which it was made (`epoch`). What LLVM may free, it frees only
//!   when an epoch ends: by LLVM's passes, code generation, linking, and the end of a module or
//!   context. Each use of a handle compares its epoch with the current one, and panics if the epoch
//!   has ended. A stage therefore looks functions up again after it has run passes of LLVM.
//! - Within an epoch, [`Value::erase`] and [`Value::delete_function`] only bury (`graveyard`): they
//!   unlink the part and empty its operands, and memory is freed when the epoch ends. A buried
//!   part has no users and no successors, and its operands are poison. A query for its block or
//!   module panics.
//! - The pointers are private to `ir`, and never null: every handle comes from LLVM for a live part.
//! - Only `ir::Context` and `ir::Module` own what handles refer to, and give out their pointers only
//!   after an epoch has ended. Handles cannot be sent to other threads, so that epochs are counted
//!   for each thread.
//!
//! What protects each kind of handle:
//!
//! | handle | freed by | protected by |
//! | --- | --- | --- |
//! | [`Value`]: instruction, function | `erase`, `delete_function` | graveyard |
//! | [`Value`]: constant expression | `replace_all_uses_with` on a constant | end of the epoch |
//! | all values, [`Block`] | LLVM's passes, linking, end of the module | end of the epoch |
//! | [`ModuleRef`], [`DataLayout`] | linking into another module, end of the module | end of the epoch |
//! | [`Type`], [`ContextRef`], [`MetadataRef`], [`SourceFile`] | end of the context | end of the epoch |
//! | `Builder`: its place | as values and blocks | end of the epoch; checked before each instruction |
//!
//! The invariant is about lifetimes alone. A method must still be called on a value of the kind that
//! it is for, with an index in range; LLVM does not check that.

use super::epoch::Epoch;
use llvm_sys::target::LLVMOpaqueTargetData;
use llvm_sys::{LLVMBasicBlock, LLVMContext, LLVMModule, LLVMOpaqueMetadata, LLVMType, LLVMValue};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ptr::NonNull;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident: $part:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name {
            part: NonNull<$part>,
            epoch: Epoch,
        }

        impl $name {
            /// A handle of a live part.
            ///
            /// # Panics
            /// LLVM has no such part: the pointer is null.
            #[track_caller]
            pub(in crate::ir) fn new(part: *mut $part) -> Self {
                let Some(part) = NonNull::new(part) else {
                    panic!("LLVM has no such {}", stringify!($name));
                };
                Self { part, epoch: Epoch::current() }
            }

            /// The pointer.
            ///
            /// # Panics
            /// The epoch of the handle has ended.
            #[inline]
            #[track_caller]
            pub(in crate::ir) fn raw(self) -> *mut $part {
                self.epoch.check(stringify!($name));
                self.part.as_ptr()
            }

            /// The address, not to be dereferenced.
            #[allow(dead_code, reason = "not every kind of handle is ordered")]
            pub(in crate::ir) fn address(self) -> usize {
                self.part.as_ptr() as usize
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.part == other.part
            }
        }

        impl Eq for $name {}

        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.part.hash(state);
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "{}({:p})", stringify!($name), self.part)
            }
        }
    )*};
}

handles! {
    /// A basic block.
    Block: LLVMBasicBlock;
    /// The context that a module is in.
    ContextRef: LLVMContext;
    /// Sizes and alignments of types.
    DataLayout: LLVMOpaqueTargetData;
    /// A metadata node or string.
    MetadataRef: LLVMOpaqueMetadata;
    /// A module, which an `ir::Module` owns.
    ModuleRef: LLVMModule;
    /// A source file.
    SourceFile: LLVMOpaqueMetadata;
    /// A type.
    Type: LLVMType;
    /// A value: instruction, argument, constant, function or global variable.
    Value: LLVMValue;
}
