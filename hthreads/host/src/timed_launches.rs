//! Launches in simulated time: what the scheduler needs for them, and their records.

use crate::launching::Launching;
use crate::recorder::{self, Recorder};
use device_sim::machine::{CodeStackLayout, Machine};
use device_sim::units::Nanoseconds;
use device_threads::group::Group;
use device_threads::progress::KernelTiming;
use device_threads::{LaunchOutcome, Timing};
use kernel_compiler::device_c::{DeviceCode, Timed, TimedPurpose};
use parking_lot::Mutex;
use recording::{Command, Size};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// What timed code is for. None if the program is not recorded.
pub fn timed(machine: &Arc<Machine>) -> Option<Timed> {
    recorder::get()?;
    Some(Timed {
        machine: Arc::clone(machine),
        layout: CodeStackLayout::from_environment(&machine.layout),
        purpose: TimedPurpose::Execution,
    })
}

/// The call that launches a kernel.
#[derive(Clone, Copy)]
pub struct LaunchingCall {
    /// The cluster.
    pub cluster: u32,
    /// How it launches.
    pub launching: Launching,
}

/// What the launches of an image share.
#[derive(Default)]
pub struct ImageTiming {
    /// By name of the kernel.
    kernels: Mutex<HashMap<String, Arc<KernelTiming>>>,
    /// The number of the image in the recording.
    program: OnceLock<u64>,
}

impl ImageTiming {
    /// The timing of a launch of a kernel on a group; none for code that is not timed.
    pub fn of_launch(
        &self,
        code: &DeviceCode,
        kernel: &str,
        group: &Arc<Group>,
        machine: &'static Machine,
        call: LaunchingCall,
    ) -> Option<Timing> {
        let recorder = recorder::get()?;
        let cost = code.cost()?;
        let mut kernels = self.kernels.lock();
        let timing = kernels
            .entry(kernel.to_owned())
            .or_insert_with(|| Arc::new(KernelTiming::new(cost.of_kernel(kernel))));
        let timing = Arc::clone(timing);
        drop(kernels);
        let files = &timing.cost.files;
        let program = *self.program.get_or_init(|| recorder.program(files));
        let begin = recorder.spend(Nanoseconds(machine.host.enqueue.value));
        let launch = RecordedLaunch {
            recorder,
            command: Command {
                kernel: Some(kernel.into()),
                program: Some(program),
                ..command(group, call, recorder, begin)
            },
            group: Arc::clone(group),
            begin,
            machine,
        };
        Some(Timing {
            kernel: timing,
            machine,
            layout: CodeStackLayout::from_environment(&machine.layout),
            begin,
            timeline: recorder.timeline,
            alternatives: recorder.alternatives,
            ended: Box::new(move |outcome| launch.end(outcome)),
        })
    }
}

/// What is known of a launch when it begins.
fn command(group: &Group, call: LaunchingCall, recorder: &Recorder, begin: Nanoseconds) -> Command {
    let first = group.members.iter().map(|member| member.core).min();
    Command {
        number: recorder.new_command(),
        queue: u64::from(group.id) + 1,
        in_order: true,
        device: call.cluster,
        first_array: first.unwrap_or(0),
        arrays: group.members.len() as u32,
        kind: call.launching.function().into(),
        global_size: Size::from_slice(&[group.members.len() as u64]),
        local_size: Size::from_slice(&[1]),
        queued: begin.0,
        submit: begin.0,
        host_begin: recorder.host_time(),
        ..Command::default()
    }
}

/// Records the launch of a group that runs no kernel: its arrays are started, and the host learns that they
/// have been.
pub fn record_empty(group: &Group, machine: &Machine, call: LaunchingCall) {
    let Some(recorder) = recorder::get() else {
        return;
    };
    let begin = recorder.spend(Nanoseconds(machine.host.enqueue.value));
    let arrays = group.members.len() as u64;
    let started = begin.saturating_add(machine.launch.time_to_start(1));
    let last = begin.saturating_add(machine.launch.time_to_start(arrays));
    let end = last.saturating_add(machine.launch.time_to_complete(arrays));
    recorder.command(Command {
        start: started.0,
        end: end.0,
        host_end: recorder.host_time(),
        ..command(group, call, recorder, begin)
    });
    group.set_end_time(end);
}

/// A launch that runs.
struct RecordedLaunch {
    recorder: &'static Recorder,
    command: Command,
    group: Arc<Group>,
    begin: Nanoseconds,
    machine: &'static Machine,
}

impl RecordedLaunch {
    fn end(mut self, outcome: LaunchOutcome) {
        let clock = self.machine.clock();
        let timing = &outcome.report.timing;
        let start = clock.nanoseconds(timing.start.min(timing.end));
        let end = self.begin.saturating_add(clock.nanoseconds(timing.end));
        self.command.start = self.begin.saturating_add(start).0;
        self.command.end = end.0;
        self.command.host_end = self.recorder.host_time();
        let number = outcome.exception.map(|exception| exception.0 as i32);
        self.command.status = number.map_or(0, |number| -1 - number.max(0));
        self.command.report = Some(Arc::new(outcome.report));
        self.recorder.command(self.command);
        self.group.set_end_time(end);
    }
}

/// The host program learns that a group does not run.
pub fn observe(group: &Group) {
    if let Some(recorder) = recorder::get() {
        recorder.observe(group.end_time());
    }
}
