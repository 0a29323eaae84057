//! The dispatch table that the loader calls through.

use crate::function_table::FUNCTIONS;
use cl_sys::{CL_INVALID_OPERATION, cl_int};

/// Entries of the table. Today's CL/cl_icd.h has 150; a loader built with a longer one
/// must find a function in every place it reads.
const SLOTS: usize = 256;

/// The address of an entry point.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Address(pub *const ());

// SAFETY: the address of a function, never written through.
unsafe impl Sync for Address {}
// SAFETY: as above.
unsafe impl Send for Address {}

/// `cl_icd_dispatch`, with room for what later versions append.
#[repr(C)]
pub struct DispatchTable([Address; SLOTS]);

/// The table every object points to.
pub static DISPATCH_TABLE: DispatchTable = DispatchTable(addresses());

/// In the places whose function is not known yet: its arguments are not known either,
/// so there is only the return value to tell that nothing was done.
extern "C" fn reserved() -> cl_int {
    CL_INVALID_OPERATION
}

const fn addresses() -> [Address; SLOTS] {
    let mut addresses = [Address(reserved as *const ()); SLOTS];
    let mut filled = [false; SLOTS];
    let mut row = 0;
    let mut count = 0;
    while row < FUNCTIONS.len() {
        if let Some(slot) = FUNCTIONS[row].slot {
            assert!(!filled[slot], "two functions in one slot");
            filled[slot] = true;
            addresses[slot] = FUNCTIONS[row].address;
            count += 1;
        }
        row += 1;
    }
    let mut slot = 0;
    while slot < count {
        assert!(filled[slot], "a slot without a function");
        slot += 1;
    }
    addresses
}
