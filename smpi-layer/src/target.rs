//! The functions behind the layer: the loader's, or those of the next layer.

use cl_sys::{CL_INVALID_OPERATION, cl_int};
use std::sync::OnceLock;

/// The address of a function, or null.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Address(pub *const ());

// SAFETY: the address of a function, never written through.
unsafe impl Sync for Address {}
// SAFETY: as above.
unsafe impl Send for Address {}

static TARGET: OnceLock<&'static [Address]> = OnceLock::new();

/// Sets the table of functions, once.
pub fn set(table: &'static [Address]) {
    let _ = TARGET.set(table);
}

/// Replaces functions that are not there. Their parameters are unknown, so that only the return
/// value can report the failure.
extern "C" fn missing() -> cl_int {
    CL_INVALID_OPERATION
}

/// The function in a slot of the table.
pub fn address(slot: i32) -> *const () {
    let table = TARGET.get().copied().unwrap_or_default();
    let entry = usize::try_from(slot).ok().and_then(|slot| table.get(slot));
    match entry {
        Some(address) if !address.0.is_null() => address.0,
        _ => missing as *const (),
    }
}
