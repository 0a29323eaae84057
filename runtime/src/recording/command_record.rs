//! Commands in the recording. A command is written when its simulated times are known.

use crate::recording::recorder::{host_time, write};
use ::recording::{Line, Size};
use device_sim::timing::launch_report::LaunchReport;
use device_sim::units::Nanoseconds;
use std::sync::Arc;

/// The launch of a recorded command.
pub(crate) struct RecordedLaunch {
    /// Name of the kernel.
    pub kernel: Arc<str>,
    /// Number of the program.
    pub program: u64,
    /// Global size in work-items, one element per dimension.
    pub global_size: Size,
    /// Local size in work-items, one element per dimension.
    pub local_size: Size,
}

/// The queue of a recorded command.
pub(crate) struct RecordedQueue {
    /// Number of the queue.
    pub number: u64,
    /// Whether the queue is in order.
    pub in_order: bool,
    /// Position of the device's cluster among those of all nodes.
    pub device: usize,
    /// Number of the device's first array.
    pub first_array: u64,
    /// Number of the device's arrays.
    pub arrays: u32,
}

/// The outcome of a recorded command.
pub(crate) struct RecordedOutcome {
    /// Number of the command in the order of enqueuing.
    pub number: u64,
    /// Execution status that the command ended with.
    pub status: i32,
    /// Whether the task queue manager gave it up.
    pub gave_up: bool,
    /// Bytes that the host read, wrote, copied or filled.
    pub bytes: u64,
    /// Bytes moved between memories.
    pub moved: u64,
    /// The migrations before the command.
    pub migration: Option<::recording::Migration>,
    /// Simulated times of QUEUED, SUBMIT, START and END.
    pub times: [Nanoseconds; 4],
    /// The report of a launch of timed code.
    pub report: Option<Arc<LaunchReport>>,
    /// The prediction of a launch.
    pub predicted: Option<::recording::Prediction>,
}

/// A command whose simulated times are not known yet.
pub(crate) struct PendingRecord(Box<::recording::Command>);

impl PendingRecord {
    /// A command of type `kind`, with the numbers of the commands in its wait list.
    pub fn new(
        queue: &RecordedQueue,
        kind: &'static str,
        waits_for: impl Iterator<Item = u64>,
        launch: Option<Box<RecordedLaunch>>,
    ) -> Self {
        let mut command = Box::new(::recording::Command {
            queue: queue.number,
            in_order: queue.in_order,
            device: queue.device as u32,
            first_array: queue.first_array as u32,
            arrays: queue.arrays,
            kind: kind.into(),
            waited_for: waits_for.filter(|number| *number != 0).collect(),
            ..::recording::Command::default()
        });
        if let Some(launch) = launch {
            command.kernel = Some(launch.kernel);
            command.program = Some(launch.program);
            command.global_size = launch.global_size;
            command.local_size = launch.local_size;
        }
        Self(command)
    }

    /// Execution on the host begins.
    pub fn begin(&mut self) {
        self.0.host_begin = host_time();
    }

    /// Execution on the host has ended.
    pub fn end(&mut self) {
        self.0.host_end = host_time();
    }

    /// Writes the command.
    pub fn write(self, outcome: RecordedOutcome) {
        let mut command = self.0;
        command.number = outcome.number;
        command.status = outcome.status;
        command.gave_up = outcome.gave_up;
        command.bytes = outcome.bytes;
        command.moved = outcome.moved;
        command.migration = outcome.migration;
        [command.queued, command.submit, command.start, command.end] =
            outcome.times.map(|time| time.0);
        command.report = outcome.report;
        command.predicted = outcome.predicted;
        write(Line::Command(command));
    }
}
