//! The dispatch table that the loader calls through.

use crate::abi::entry_point::Address;
use crate::abi::function_table::FUNCTIONS;
use cl_sys::{CL_INVALID_OPERATION, cl_int};

/// Entries of the table. Today's CL/cl_icd.h has 150; a loader built with a longer one
/// must find a function in every place it reads.
const SLOTS: usize = 256;

/// `cl_icd_dispatch`, with room for what later versions append.
#[repr(C)]
pub struct DispatchTable([Address; SLOTS]);

/// The table every object points to.
pub static DISPATCH_TABLE: DispatchTable = DispatchTable(addresses());

/// Fills the slots that later versions of the table may define. Their parameters are unknown, so
/// that only the return value can report the failure.
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
