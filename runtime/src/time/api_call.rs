//! API calls of the host program on the simulated clock, and the end of the recording.

use crate::recording::call_record::PendingCall;
use crate::recording::recorder;
use crate::time::simulated_schedule;
use host_exec::process_lifecycle;
use std::sync::Arc;

/// An API call that is recorded.
pub struct ApiCall(Arc<PendingCall>);

impl ApiCall {
    /// Records that a call of `function` begins. None if the process is not recorded.
    pub fn begin(function: &'static str) -> Option<Self> {
        if !recorder::is_on() || process_lifecycle::forked() {
            return None;
        }
        let call = Arc::new(PendingCall::begin(function));
        simulated_schedule::call_begins(&call);
        Some(Self(call))
    }

    /// The call returns.
    pub fn end(self) {
        self.0.end();
        simulated_schedule::call_ends(self.0);
    }
}

/// Ends the recording with the process, after all `atexit` handlers and the host program's
/// destructors.
extern "C" fn finish_recording() {
    if !recorder::has_file() {
        return;
    }
    if let Some(time) = simulated_schedule::finish() {
        recorder::finish(time);
    }
}

#[used]
#[unsafe(link_section = ".fini_array")]
static FINISH_RECORDING: extern "C" fn() = finish_recording;
