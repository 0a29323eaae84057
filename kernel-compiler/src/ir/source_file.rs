//! Files that line tables speak of.

use super::handle::SourceFile;
use super::{ContextRef, Value};
use llvm_sys::core::{LLVMMDStringInContext2, LLVMMetadataAsValue, LLVMReplaceMDNodeOperandWith};
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::LLVMMetadataRef;
use std::ffi::c_char;

impl SourceFile {
    /// File and line that an instruction was made of, if there are line tables.
    pub fn at(instruction: Value) -> Option<(Self, u32)> {
        let location = llvm!(LLVMInstructionGetDebugLoc(instruction.raw()));
        if location.is_null() {
            return None;
        }
        let line = llvm!(LLVMDILocationGetLine(location));
        let file = Self::of_scope(llvm!(LLVMDILocationGetScope(location)))?;
        (line > 0).then_some((file, line))
    }

    /// That in which a function is defined.
    pub fn of_function(function: Value) -> Option<Self> {
        Self::of_scope(llvm!(LLVMGetSubprogram(function.raw())))
    }

    fn of_scope(scope: LLVMMetadataRef) -> Option<Self> {
        if scope.is_null() {
            return None;
        }
        super::ffi::some(llvm!(LLVMDIScopeGetFile(scope))).map(Self::new)
    }

    pub fn name(self) -> String {
        let mut length = 0;
        let start = llvm!(LLVMDIFileGetFilename(self.raw(), &mut length));
        text(start, length).unwrap_or_default()
    }

    /// The folder that its name is relative to.
    pub fn folder(self) -> String {
        let mut length = 0;
        let start = llvm!(LLVMDIFileGetDirectory(self.raw(), &mut length));
        text(start, length).unwrap_or_default()
    }

    /// What is in it, if the line tables hold that.
    pub fn text(self) -> Option<String> {
        let mut length = 0;
        let start = llvm!(LLVMDIFileGetSource(self.raw(), &mut length));
        text(start, length)
    }

    pub fn rename(self, context: ContextRef, name: &str) {
        // The first operand of `DIFile`.
        const NAME: u32 = 0;
        let start = name.as_ptr().cast();
        let name = llvm!(LLVMMDStringInContext2(context.raw(), start, name.len()));
        let node = llvm!(LLVMMetadataAsValue(context.raw(), self.raw()));
        llvm!(LLVMReplaceMDNodeOperandWith(node, NAME, name));
    }
}

fn text(start: *const c_char, length: u32) -> Option<String> {
    if start.is_null() {
        return None;
    }
    // SAFETY: LLVM gives start and length of a string that it keeps.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length as usize) };
    Some(String::from_utf8_lossy(bytes).into_owned())
}
