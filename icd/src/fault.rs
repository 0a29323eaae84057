//! The defects that this crate can have on purpose, so that the conformance suite can be
//! checked. Without the feature `defects` all answers are constants.

use fault_injection::{Defect, can_be_present, is_active};

/// What `CL_PLATFORM_VERSION` says of a library that can be defective.
pub fn platform_version() -> Option<&'static str> {
    can_be_present().then_some("OpenCL 1.2 MOCL3 with defects")
}

/// How often an event's callback is called.
pub fn event_callback_calls() -> usize {
    if is_active(Defect::RepeatedCallbacks) {
        2
    } else {
        1
    }
}
