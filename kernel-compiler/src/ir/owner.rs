//! Owners of contexts and modules. An epoch ends before either is freed.

use super::epoch::{self, EndOnDrop};
use super::{ContextRef, ModuleRef};
use inkwell::data_layout::DataLayout;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::targets::TargetTriple;
use llvm_sys::prelude::{LLVMContextRef, LLVMModuleRef};

/// A context of LLVM.
pub struct Context {
    // Dropped first.
    _epoch: EndOnDrop,
    inner: inkwell::context::Context,
}

impl Context {
    /// An empty context.
    pub fn create() -> Self {
        Self {
            _epoch: EndOnDrop,
            inner: inkwell::context::Context::create(),
        }
    }

    /// A handle.
    pub fn handle(&self) -> ContextRef {
        ContextRef::new(self.as_raw())
    }

    /// For calls of LLVM that free nothing.
    pub(crate) fn as_raw(&self) -> LLVMContextRef {
        self.inner.raw()
    }

    /// An empty module.
    pub fn create_module(&self, name: &str) -> Module<'_> {
        Module::new(self.inner.create_module(name))
    }

    /// Parses IR, which ends in NUL.
    ///
    /// # Errors
    /// LLVM's message.
    pub fn parse_ir(&self, text: &str) -> Result<Module<'_>, String> {
        let buffer =
            MemoryBuffer::create_from_memory_range_copy(format!("{text}\0").as_bytes(), "input");
        let parsed = self.inner.create_module_from_ir(buffer);
        parsed.map(Module::new).map_err(|error| error.to_string())
    }

    /// Parses bitcode.
    ///
    /// # Errors
    /// LLVM's message.
    pub fn parse_bitcode(&self, bitcode: &[u8]) -> Result<Module<'_>, String> {
        let image = MemoryBuffer::create_from_memory_range_copy(bitcode, "bitcode");
        inkwell::module::Module::parse_bitcode_from_buffer(&image, &self.inner)
            .map(Module::new)
            .map_err(|error| error.to_string_lossy().into_owned())
    }
}

/// A module of LLVM.
pub struct Module<'c> {
    // Dropped first.
    epoch: EndOnDrop,
    inner: inkwell::module::Module<'c>,
}

impl Clone for Module<'_> {
    fn clone(&self) -> Self {
        Self::new(self.inner.clone())
    }
}

impl<'c> Module<'c> {
    fn new(inner: inkwell::module::Module<'c>) -> Self {
        Self {
            epoch: EndOnDrop,
            inner,
        }
    }

    /// Owns a module that LLVM made.
    ///
    /// # Safety
    /// The module is in `context`, and has no other owner.
    pub(crate) unsafe fn own(_context: &'c Context, module: LLVMModuleRef) -> Self {
        // SAFETY: as the caller guarantees.
        Self::new(unsafe { inkwell::module::Module::new(module) })
    }

    /// A handle.
    pub fn handle(&self) -> ModuleRef {
        ModuleRef::new(self.inner.as_mut_ptr())
    }

    /// For calls of LLVM that may free parts of the module: no handle can be used afterwards.
    pub(crate) fn for_llvm(&self) -> LLVMModuleRef {
        epoch::end();
        self.inner.as_mut_ptr()
    }

    /// Links `other` into this.
    ///
    /// # Errors
    /// LLVM's message.
    pub fn link(&self, other: Self) -> Result<(), String> {
        let Self { epoch, inner } = other;
        drop(epoch);
        let linked = self.inner.link_in_module(inner);
        linked.map_err(|error| error.to_string())
    }

    /// # Errors
    /// What makes the module invalid.
    pub fn verify(&self) -> Result<(), String> {
        let verified = self.inner.verify();
        verified.map_err(|message| message.to_string_lossy().into_owned())
    }

    /// The IR as text.
    pub fn text(&self) -> String {
        self.inner.print_to_string().to_string()
    }

    /// The module as bitcode.
    pub fn bitcode(&self) -> Vec<u8> {
        self.inner.write_bitcode_to_memory().as_slice().to_vec()
    }

    /// Adds an empty node to the module's named metadata.
    pub fn mark(&self, name: &str) {
        let node = self.inner.get_context().metadata_node(&[]);
        let added = self.inner.add_global_metadata(name, &node);
        added.expect("the node belongs to this context");
    }

    /// Whether `mark` was called with that name.
    pub fn is_marked(&self, name: &str) -> bool {
        self.inner.get_global_metadata_size(name) > 0
    }

    /// The data layout as text.
    pub fn layout(&self) -> String {
        let layout = self.inner.get_data_layout();
        layout.as_str().to_string_lossy().into_owned()
    }

    /// Sets the data layout.
    pub fn set_layout(&self, layout: &DataLayout) {
        // LLVM frees the parts of the former layout.
        epoch::end();
        self.inner.set_data_layout(layout);
    }

    /// The target triple.
    pub fn triple(&self) -> String {
        let triple = self.inner.get_triple();
        triple.as_str().to_string_lossy().into_owned()
    }

    /// Sets the target triple.
    pub fn set_triple(&self, triple: &TargetTriple) {
        self.inner.set_triple(triple);
    }
}
