//! What code that checks for values of memory that was never written calls
//! (`MOCL3_CHECK=uninitialised`), and the uses that its reports name by numbers.

use crate::memory_checker;
use crate::memory_checker::access_table::{AccessSite, CheckedObject};
use crate::work_group::WorkGroupContext;
use serde::{Deserialize, Serialize};
use std::ffi::c_void;

/// How an undefined value is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UseKind {
    /// It decides a branch.
    Branch,
    /// It is part of an address.
    Address,
    /// It is stored in global memory, or printed.
    Stored,
    /// It is an operand of an operation whose result it decides.
    Argument,
}

/// A use in the source of a value that may be undefined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Use {
    /// The use.
    pub kind: UseKind,
    /// Its place.
    pub site: AccessSite,
    /// What was not written, if only one object can be that.
    pub object: Option<CheckedObject>,
}

/// The uses that code reports by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UseTable {
    /// The uses.
    pub uses: Vec<Use>,
}

/// Reports a use of an undefined value.
///
/// # Safety
/// The context is the one that the work-group function was called with.
pub unsafe extern "C" fn report(
    context: *const WorkGroupContext,
    number: u64,
    x: u64,
    y: u64,
    z: u64,
) {
    // SAFETY: as the caller promises.
    if let Some(checker) = unsafe { memory_checker::checker(context) } {
        // SAFETY: as the caller promises.
        let context = unsafe { &*context };
        checker.undefined.add(context, [x, y, z], number, number);
    }
}

/// Marks memory as defined that code has written through a pointer of unknown origin.
///
/// # Safety
/// As `report`.
pub unsafe extern "C" fn define(context: *const WorkGroupContext, address: u64, bytes: u64) {
    // SAFETY: as the caller promises.
    let Some(checker) = (unsafe { memory_checker::checker(context) }) else {
        return;
    };
    // SAFETY: as the caller promises.
    if let Some(distance) = checker.shadow_distance(unsafe { &*context }, address, bytes) {
        let shadow = address.wrapping_add(distance) as usize;
        let shadow = std::ptr::with_exposed_provenance_mut::<u8>(shadow);
        // SAFETY: the bytes are within an object, which has a shadow of the same size.
        unsafe { shadow.write_bytes(0, bytes as usize) };
    }
}

/// Copies the definedness of what a DMA transfer copies; without a source that is defined. Returns
/// the event.
///
/// # Safety
/// All rows are within shadows.
pub unsafe extern "C" fn transfer(
    destination: *mut u8,
    destination_stride: u64,
    source: *const u8,
    source_stride: u64,
    row_bytes: u64,
    rows: u64,
    event: *const c_void,
) -> *const c_void {
    for row in 0..rows {
        let to = destination.wrapping_add((row * destination_stride) as usize);
        // SAFETY: as the caller promises.
        unsafe {
            match source.is_null() {
                true => to.write_bytes(0, row_bytes as usize),
                false => {
                    let from = source.wrapping_add((row * source_stride) as usize);
                    std::ptr::copy(from, to, row_bytes as usize);
                }
            }
        }
    }
    event
}
