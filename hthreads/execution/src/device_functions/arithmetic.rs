//! Which exceptions of arithmetic a thread records.

use crate::device_thread::current;
use crate::floating_point;
use crate::host_name::host_name;

pub extern "C" fn set_ecr(kind: i32) {
    switch("set_ecr", kind, true);
}

pub extern "C" fn clear_ecr(kind: i32) {
    switch("clear_ecr", kind, false);
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
