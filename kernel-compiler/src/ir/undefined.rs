//! Uses of undefined values in a kernel, found by LLVM's MemorySanitizer.

use super::epoch;
use super::ffi::some;
use super::{Module, Value};
use llvm_sys::prelude::*;
use std::ffi::{c_int, c_void};

/// Prefix of the calls that a variable without memory gets its first value from.
pub const MARKER: &str = "__mocl3_undefined.";

/// A call in a kernel that is to be replaced by a report.
#[derive(Clone, Debug)]
pub struct UndefinedUse {
    /// The call, at the line of the use.
    pub call: Value,
    /// Number of the kind of use (`undefined::UseKind` of the shim).
    pub kind: c_int,
    /// The object that the value comes from, if it is one.
    pub origin: Option<UndefinedOrigin>,
}

/// What an undefined value comes from.
#[derive(Clone, Debug)]
pub enum UndefinedOrigin {
    /// An object in memory.
    Object(Value),
    /// A variable without memory: its name, and bytes.
    Variable(String, u64),
}

type Reported = unsafe extern "C" fn(*mut c_void, LLVMValueRef, c_int, LLVMValueRef);

unsafe extern "C" {
    fn mocl3_check_uninitialised(
        kernel: LLVMValueRef,
        arguments: *const u8,
        count: usize,
        is_device: bool,
        report: Reported,
        data: *mut c_void,
    );
}

/// Where the memory of an argument has its shadow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ArgumentShadow {
    /// It has none, and is always defined.
    None = 0,
    /// That of a buffer.
    Buffer = 1,
    /// That of local memory.
    Local = 2,
}

/// Has a kernel compute which bits of its values are undefined. Handles cannot be used afterwards.
pub fn check_uninitialised(
    module: &Module<'_>,
    kernel: &str,
    arguments: &[ArgumentShadow],
) -> Vec<UndefinedUse> {
    check(module, kernel, arguments, false)
}

/// The same of a function of device code, in which the shadow of memory that is no variable of the function is found by
/// address. The calls have an address in the object that a value comes from, and the one that gets it, or null.
pub fn check_uninitialised_by_address(module: &Module<'_>, function: &str) -> Vec<UndefinedUse> {
    let known = super::function(module.handle(), function).expect("the module holds the function");
    let arguments = vec![ArgumentShadow::None; known.parameters().len()];
    check(module, function, &arguments, true)
}

fn check(
    module: &Module<'_>,
    kernel: &str,
    arguments: &[ArgumentShadow],
    is_device: bool,
) -> Vec<UndefinedUse> {
    let mut found: Vec<(LLVMValueRef, c_int, LLVMValueRef)> = Vec::new();
    let kernel = super::function(module.handle(), kernel).expect("the module holds the kernel");
    let kernel = kernel.raw();
    epoch::end();
    // SAFETY: the kernel is a function of a module that this thread uses; the arguments are bytes,
    // as many as the kernel has parameters; `add` gets the list.
    unsafe {
        mocl3_check_uninitialised(
            kernel,
            arguments.as_ptr().cast(),
            arguments.len(),
            is_device,
            add,
            std::ptr::from_mut(&mut found).cast(),
        );
    }
    let layout = super::DataLayout::of_module(module.handle());
    let origin = |origin: LLVMValueRef| {
        some(origin).map(Value::new).map(|origin| {
            let is_marker = origin
                .called_function()
                .is_some_and(|called| called.name().starts_with(MARKER));
            match is_marker {
                true => UndefinedOrigin::Variable(origin.name(), layout.size(origin.ty())),
                false => UndefinedOrigin::Object(origin),
            }
        })
    };
    found
        .into_iter()
        .map(|(call, kind, from)| UndefinedUse {
            call: Value::new(call),
            kind,
            origin: origin(from),
        })
        .collect()
}

/// # Safety
/// `data` is the list.
unsafe extern "C" fn add(data: *mut c_void, call: LLVMValueRef, kind: c_int, origin: LLVMValueRef) {
    // SAFETY: as the caller promises.
    let found = unsafe { &mut *data.cast::<Vec<(LLVMValueRef, c_int, LLVMValueRef)>>() };
    found.push((call, kind, origin));
}
