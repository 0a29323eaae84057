//! Safe calls of the C++ shim (`compiler-resources/shim/shim.h`).

use crate::ir::{Context, Module, c_string};
use crate::process_end;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::targets::TargetMachine;
use llvm_sys::prelude::*;
use llvm_sys::target_machine::LLVMTargetMachineRef;
use std::ffi::{CStr, CString, c_char, c_int, c_void};

#[repr(C)]
struct File {
    name: *const c_char,
    text: *const c_char,
    size: usize,
}

/// What the shim calls with each observation: observer, kind, path, text.
type Observe = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, usize, *const c_char, usize);

#[repr(C)]
struct Reading {
    only_folders: bool,
    folders: *const *const c_char,
    folder_count: usize,
    observe: Observe,
    observer: *mut c_void,
}

unsafe extern "C" {
    fn mocl3_compile(
        context: LLVMContextRef,
        language: c_int,
        arguments: *const *const c_char,
        argument_count: usize,
        files: *const File,
        file_count: usize,
        reading: *const Reading,
        write_log: unsafe extern "C" fn(*mut c_void, *const c_char, usize),
        log: *mut c_void,
    ) -> LLVMModuleRef;
    fn mocl3_preprocess(
        arguments: *const *const c_char,
        argument_count: usize,
        files: *const File,
        file_count: usize,
        reading: *const Reading,
        write: unsafe extern "C" fn(*mut c_void, *const c_char, usize),
        log: *mut c_void,
        text: *mut c_void,
    ) -> bool;
    fn mocl3_address_in_clang() -> *const c_void;
    fn mocl3_link_needed(destination: LLVMModuleRef, bitcode: *const c_char, size: usize) -> bool;
    fn mocl3_extract_function(
        context: LLVMContextRef,
        bitcode: *const c_char,
        size: usize,
        name: *const c_char,
    ) -> LLVMModuleRef;
    fn mocl3_run_passes(
        module: LLVMModuleRef,
        passes: *const c_char,
        machine: LLVMTargetMachineRef,
        process_ends: extern "C" fn() -> bool,
        message_out: *mut *mut c_char,
    ) -> bool;
    fn mocl3_has_feature(machine: LLVMTargetMachineRef, feature: *const c_char) -> bool;
    fn mocl3_emit(
        module: LLVMModuleRef,
        machine: LLVMTargetMachineRef,
        assembly: c_int,
        object_out: *mut LLVMMemoryBufferRef,
        message_out: *mut *mut c_char,
    ) -> bool;
}

/// Languages of the front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// OpenCL C, with the restrictions of OpenCL and of this platform.
    OpenClC = 0,
    /// C with `lvector` types, for hthreads.
    DeviceC = 1,
}

/// LLVM refused what it was given; the text says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub String);

/// A file that exists only while a source is compiled.
pub struct VirtualFile<'a> {
    /// Path, absolute or relative to the working directory.
    pub name: String,
    /// Contents.
    pub text: &'a str,
}

/// Text that the shim allocated.
fn take_text(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the shim gives a NUL-terminated string from malloc, ours to free.
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        libc::free(text.cast());
        owned
    }
}

/// What a compilation learns from the real file system, or from the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observation<'a> {
    /// There is nothing of that path.
    Nothing(&'a str),
    /// It is a directory.
    Directory(&'a str),
    /// It is a file, which was not read.
    File(&'a str),
    /// It is a file that holds these bytes.
    Text(&'a str, &'a [u8]),
    /// A result that a later compilation cannot verify, such as the time.
    Unrepeatable,
}

/// Passes observations of the shim to a closure.
///
/// # Safety
/// `observer` is the closure; the ranges are readable.
unsafe extern "C" fn observe<F: FnMut(Observation<'_>)>(
    observer: *mut c_void,
    observation: c_int,
    path: *const c_char,
    path_size: usize,
    text: *const c_char,
    text_size: usize,
) {
    // SAFETY: as the caller guarantees; nothing else uses the closure meanwhile. An empty
    // range may be at null.
    let (observer, path, text) = unsafe {
        let bytes = |start: *const c_char, size: usize| match size {
            0 => &[][..],
            _ => std::slice::from_raw_parts(start.cast::<u8>(), size),
        };
        let observer = &mut *observer.cast::<F>();
        (observer, bytes(path, path_size), bytes(text, text_size))
    };
    observer(match (observation, std::str::from_utf8(path)) {
        (0, Ok(path)) => Observation::Nothing(path),
        (1, Ok(path)) => Observation::Directory(path),
        (2, Ok(path)) => Observation::File(path),
        (3, Ok(path)) => Observation::Text(path, text),
        _ => Observation::Unrepeatable,
    });
}

/// An address in the clang library that is used.
pub fn address_in_clang() -> *const c_void {
    // SAFETY: the function only returns an address.
    unsafe { mocl3_address_in_clang() }
}

/// Appends what the shim writes to a `Vec<u8>`.
///
/// # Safety
/// `log` is the vector; the range is readable.
unsafe extern "C" fn write_log(log: *mut c_void, text: *const c_char, size: usize) {
    // SAFETY: as the caller guarantees; nothing else uses the vector meanwhile.
    let (log, text) = unsafe {
        let text = std::slice::from_raw_parts(text.cast::<u8>(), size);
        (&mut *log.cast::<Vec<u8>>(), text)
    };
    log.extend_from_slice(text);
}

/// Arguments and virtual files as the shim takes them, while those that they are from exist.
struct Inputs {
    arguments: Vec<*const c_char>,
    files: Vec<File>,
    _names: Vec<CString>,
}

impl Inputs {
    fn new(arguments: &[CString], files: &[VirtualFile<'_>]) -> Self {
        let names: Vec<_> = files.iter().map(|f| c_string(&f.name)).collect();
        let files = files.iter().zip(&names).map(|(file, name)| File {
            name: name.as_ptr(),
            text: file.text.as_ptr().cast(),
            size: file.text.len(),
        });
        Self {
            arguments: arguments.iter().map(|a| a.as_ptr()).collect(),
            files: files.collect(),
            _names: names,
        }
    }
}

/// Preprocesses a file with `clang -cc1` arguments, and writes what is wrong to `log`. To be called guarded. None if
/// something is.
pub fn preprocess(
    arguments: &[CString],
    files: &[VirtualFile<'_>],
    log: &mut Vec<u8>,
) -> Option<Vec<u8>> {
    fn ignore(_: Observation<'_>) {}
    let mut observer: fn(Observation<'_>) = ignore;
    let inputs = Inputs::new(arguments, files);
    let reading = Reading {
        only_folders: false,
        folders: std::ptr::null(),
        folder_count: 0,
        observe: observe::<fn(Observation<'_>)>,
        observer: (&raw mut observer).cast(),
    };
    let mut text = Vec::new();
    // SAFETY: all pointers outlive the call; both texts are vectors, which nothing else uses meanwhile.
    let succeeded = unsafe {
        mocl3_preprocess(
            inputs.arguments.as_ptr(),
            inputs.arguments.len(),
            inputs.files.as_ptr(),
            inputs.files.len(),
            &reading,
            write_log,
            (&raw mut *log).cast(),
            (&raw mut text).cast(),
        )
    };
    succeeded.then_some(text)
}

/// Compiles with `clang -cc1` arguments, writes diagnostics to `log`, and hands `observer`,
/// which must not panic, what was learnt from the real file system. Of that only files within
/// `folders` are read, or any regular file if there are none. To be called guarded. None if the
/// source or the options are wrong.
pub fn compile<'c, F: FnMut(Observation<'_>)>(
    context: &'c Context,
    language: Language,
    arguments: &[CString],
    files: &[VirtualFile<'_>],
    folders: Option<&[CString]>,
    log: &mut Vec<u8>,
    mut observer: F,
) -> Option<Module<'c>> {
    let Inputs {
        arguments,
        files,
        _names,
    } = Inputs::new(arguments, files);
    let paths = folders.unwrap_or_default().iter();
    let paths: Vec<_> = paths.map(|folder| folder.as_ptr()).collect();
    let reading = Reading {
        only_folders: folders.is_some(),
        folders: paths.as_ptr(),
        folder_count: paths.len(),
        observe: observe::<F>,
        observer: (&raw mut observer).cast(),
    };
    // SAFETY: all pointers outlive the call; the context is used by this thread only. A module
    // returned is ours and of this context.
    unsafe {
        let module = mocl3_compile(
            context.as_raw(),
            language as c_int,
            arguments.as_ptr(),
            arguments.len(),
            files.as_ptr(),
            files.len(),
            &reading,
            write_log,
            (&raw mut *log).cast(),
        );
        (!module.is_null()).then(|| Module::own(context, module))
    }
}

/// Adds the definitions from a bitcode image that `module` lacks. False if the
/// image cannot be read or contradicts the module.
pub fn link_needed(module: &Module<'_>, bitcode: &[u8]) -> bool {
    // SAFETY: the module is alive, the image outlives the call.
    unsafe { mocl3_link_needed(module.for_llvm(), bitcode.as_ptr().cast(), bitcode.len()) }
}

/// A module with one function of an image and what it needs.
pub fn extract_function<'c>(
    context: &'c Context,
    bitcode: &[u8],
    name: &str,
) -> Option<Module<'c>> {
    // SAFETY: the image and the name outlive the call; a module returned is ours.
    unsafe {
        let module = mocl3_extract_function(
            context.as_raw(),
            bitcode.as_ptr().cast(),
            bitcode.len(),
            c_string(name).as_ptr(),
        );
        (!module.is_null()).then(|| Module::own(context, module))
    }
}

/// Whether code for a target machine's CPU uses a feature, written as LLVM does: `+avx2`.
pub fn has_feature(machine: &TargetMachine, feature: &str) -> bool {
    // SAFETY: the target machine is alive, and the text ends with a NUL.
    unsafe { mocl3_has_feature(machine.as_mut_ptr(), c_string(feature).as_ptr()) }
}

/// Runs a textual pass pipeline. To be called guarded.
pub fn run_passes(
    module: &Module<'_>,
    passes: &str,
    machine: &TargetMachine,
) -> Result<(), Refused> {
    check_process_runs()?;
    let mut message = std::ptr::null_mut();
    // SAFETY: module and target machine are alive and used by this thread only.
    let succeeded = unsafe {
        mocl3_run_passes(
            module.for_llvm(),
            c_string(passes).as_ptr(),
            machine.as_mut_ptr(),
            process_ends,
            &mut message,
        )
    };
    if succeeded {
        Ok(())
    } else {
        Err(Refused(take_text(message)))
    }
}

/// Aborts a compilation whose result cannot be used, since the process ends.
fn check_process_runs() -> Result<(), Refused> {
    if process_end::is_closed() {
        return Err(Refused("the process ends".into()));
    }
    Ok(())
}

/// Whether passes that only optimise should be left out, so that the process ends soon.
extern "C" fn process_ends() -> bool {
    process_end::is_closed()
}

/// What code generation writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileType {
    /// A relocatable object file.
    Object,
    /// The same as text.
    Assembly,
}

/// Generates code; the module must not be used for anything else after. To be called guarded.
pub fn emit(
    module: &Module<'_>,
    machine: &TargetMachine,
    file_type: FileType,
) -> Result<MemoryBuffer<'static>, Refused> {
    check_process_runs()?;
    let mut message = std::ptr::null_mut();
    let mut object = std::ptr::null_mut();
    // SAFETY: as in `run_passes`; on success the buffer is ours.
    unsafe {
        let succeeded = mocl3_emit(
            module.for_llvm(),
            machine.as_mut_ptr(),
            c_int::from(file_type == FileType::Assembly),
            &mut object,
            &mut message,
        );
        if succeeded {
            Ok(MemoryBuffer::new(object))
        } else {
            Err(Refused(take_text(message)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target;

    #[test]
    fn long_blocks_are_cut_wherever_their_phis_end() {
        let context = Context::create();
        // One block, a loop, just longer than what is cut; with its φs or without.
        for phis in [1, 8, 50] {
            let first: String = (0..phis)
                .map(|n| format!("%p{n} = phi i32 [ {n}, %entry ], [ %s400, %loop ]\n"))
                .collect();
            let sums: String = (1..=400)
                .map(|n| format!("%s{n} = mul i32 %s{}, %p{}\n", n - 1, n % phis))
                .collect();
            let text = format!(
                "define i32 @f() {{\nentry:\nbr label %loop\nloop:\n{first}%s0 = add i32 %p0, 1\n\
                 {sums}%c = icmp ult i32 %s400, 9\nbr i1 %c, label %loop, label %end\n\
                 end:\nret i32 %s400\n}}\n"
            );
            let module = context.parse_ir(&text).unwrap();
            emit(&module, &target::machine(true), FileType::Object).unwrap();
            module.verify().unwrap();
        }
    }
}
