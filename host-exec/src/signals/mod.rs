//! Crashes and interruptions of kernels explain themselves: a fault in a kernel prints which kernel
//! and work-group it was and which argument is nearest to the address, Ctrl-C which launches run.
//! The signal then has the effect that it would have without this.
//!
//! The handlers run on whichever thread the signal reaches, in any state of it: they do not
//! allocate, and take no locks.

pub mod alternate_stack;
mod call_stack;
mod faults;
mod interrupt;
pub mod kernel_description;
mod overtime;
mod paragraph;
pub mod passing_on;
mod polling;
mod report;
pub(crate) mod running_group;
pub(crate) mod running_launches;
mod source_place;

use crate::time_limit;
use std::sync::Once;

/// Installs the handlers, once in the process. They stay: launches would pay for system calls.
pub(crate) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        running_group::prepare();
        source_place::prepare();
        faults::install();
        interrupt::install();
        if time_limit::is_on() {
            overtime::install();
        }
    });
}
