//! Loads object files into the process by LLVM's ORC.

use crate::failure::BuildFailure;
use crate::jit::runtime_symbols::host_functions;
use crate::process_end::Use;
use crate::target_pool::Kind;
use crate::{ir, target};
use inkwell::memory_buffer::MemoryBuffer;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use llvm_sys::orc2::lljit::*;
use llvm_sys::orc2::*;
use object::{Object, ObjectSymbol};
use std::collections::HashSet;
use std::ffi::{CStr, c_void};

/// Loaded code; unloaded when dropped.
pub struct Image(LLVMOrcLLJITRef);

// SAFETY: LLJIT locks its session; the image is only read after loading.
unsafe impl Send for Image {}
// SAFETY: as above.
unsafe impl Sync for Image {}

fn check(error: LLVMErrorRef) -> Result<(), BuildFailure> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: a non-null error is ours to consume, once; its text ours to free.
    unsafe {
        let text = LLVMGetErrorMessage(error);
        let sentence = format!("error: loading: {}", CStr::from_ptr(text).to_string_lossy());
        LLVMDisposeErrorMessage(text);
        Err(BuildFailure::new(sentence))
    }
}

/// The names of the symbols that an object file defines for others.
fn defined_symbols(object: &[u8]) -> HashSet<String> {
    let Ok(file) = object::File::parse(object) else {
        return HashSet::new();
    };
    file.symbols()
        .filter(|symbol| symbol.is_definition() && symbol.is_global())
        .filter_map(|symbol| Some(symbol.name().ok()?.to_owned()))
        .collect()
}

impl Image {
    /// Loads an object file of a kernel. Code that is checked has its own functions for transfers.
    ///
    /// # Errors
    /// LLVM's message.
    pub fn load(object: MemoryBuffer<'static>, checked: bool) -> Result<Self, BuildFailure> {
        Self::load_with(object, &host_functions(checked))
    }

    /// Loads an object file that may use these functions. Its own functions replace those of the
    /// same names.
    ///
    /// # Errors
    /// LLVM's message.
    pub fn load_with(
        object: MemoryBuffer<'static>,
        functions: &[(&str, *const c_void)],
    ) -> Result<Self, BuildFailure> {
        let machine = target::new_machine(Kind::Host);
        let own = defined_symbols(object.as_slice());
        // SAFETY: each object is handed over or disposed of as Orc.h and LLJIT.h say:
        // the target machine to its builder, the builder to the JIT, the symbols to
        // the library, the buffer to the JIT.
        unsafe {
            let machine_builder =
                LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine.as_mut_ptr());
            std::mem::forget(machine);
            let builder = LLVMOrcCreateLLJITBuilder();
            LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(builder, machine_builder);
            let mut jit = std::ptr::null_mut();
            check(LLVMOrcCreateLLJIT(&mut jit, builder))?;
            let image = Self(jit);
            let library = LLVMOrcLLJITGetMainJITDylib(jit);
            let mut symbols: Vec<_> = functions
                .iter()
                .filter(|(name, _)| !own.contains(*name))
                .map(|(name, address)| LLVMOrcCSymbolMapPair {
                    Name: LLVMOrcLLJITMangleAndIntern(jit, ir::c_string(name).as_ptr()),
                    Sym: LLVMJITEvaluatedSymbol {
                        Address: *address as u64,
                        Flags: LLVMJITSymbolFlags {
                            GenericFlags:
                                LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8,
                            TargetFlags: 0,
                        },
                    },
                })
                .collect();
            check(LLVMOrcJITDylibDefine(
                library,
                LLVMOrcAbsoluteSymbols(symbols.as_mut_ptr(), symbols.len()),
            ))?;
            let buffer = object.as_mut_ptr();
            std::mem::forget(object);
            check(LLVMOrcLLJITAddObjectFile(jit, library, buffer))?;
            Ok(image)
        }
    }

    /// Where a symbol is.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn address(&self, symbol: &str) -> Result<u64, BuildFailure> {
        let mut address = 0;
        // SAFETY: the JIT is alive; the name outlives the call.
        check(unsafe { LLVMOrcLLJITLookup(self.0, &mut address, ir::c_string(symbol).as_ptr()) })?;
        Ok(address)
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        // Once LLVM's objects are destroyed, the code stays until the process is gone.
        let Ok(_in_use) = Use::begin() else {
            return;
        };
        // SAFETY: nothing runs this code any more: its users hold the image.
        let error = unsafe { LLVMOrcDisposeLLJIT(self.0) };
        if let Err(failure) = check(error) {
            log::warn!("unloading native code: {failure}");
        }
    }
}
