//! Modes of arithmetic: which exceptions a thread records, and saturation.

use crate::device_thread::current;
use crate::exception::{Exception, Raised};
use crate::floating_point;
use crate::host_name::host_name;

pub extern "C" fn set_ecr(kind: i32) {
    switch("set_ecr", kind, true);
}

pub extern "C" fn clear_ecr(kind: i32) {
    switch("clear_ecr", kind, false);
}

/// Which operations saturate, and to what, is not published: the mode cannot be switched on.
pub extern "C" fn set_sata_mode(mode: i32) {
    if mode == 0 {
        return;
    }
    eprintln!(
        "{}: set_sata_mode: saturating arithmetic is not supported",
        host_name()
    );
    current().raise(Raised::new(Exception::INVALID_OPERATION));
}

fn switch(function: &str, kind: i32, is_on: bool) {
    let arithmetic = &current().arithmetic;
    // What was raised before counts as the switch was then.
    arithmetic.add(floating_point::take_raised());
    if !arithmetic.switch(kind, is_on) {
        eprintln!(
            "{}: {function}: exception {kind} is not recorded",
            host_name()
        );
    }
}
