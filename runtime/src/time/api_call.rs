//! API calls of the host program on the simulated clock, and the end of the recording.

use crate::recording::call_record::PendingCall;
use crate::recording::recorder;
use crate::time::{co_simulation, simulated_schedule};
use host_exec::process_lifecycle;
use std::sync::Arc;

/// An API call that is recorded.
pub struct ApiCall {
    call: Arc<PendingCall>,
    /// The node whose host program makes it.
    node: usize,
}

impl ApiCall {
    /// Records that a call of `function` begins. None if the process is not recorded, or a
    /// co-simulator calls.
    pub fn begin(function: &'static str) -> Option<Self> {
        let is_of_program = !function.ends_with("MOCL3");
        if !recorder::is_on() || process_lifecycle::forked() || !is_of_program {
            return None;
        }
        let node = co_simulation::node_of_thread();
        let call = Arc::new(PendingCall::begin(function, node));
        simulated_schedule::call_begins(node, &call);
        Some(Self { call, node })
    }

    /// The call returns.
    pub fn end(self) {
        self.call.end();
        simulated_schedule::call_ends(self.node, self.call);
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
