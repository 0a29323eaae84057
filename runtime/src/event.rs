//! Events: the state of a command, who waits for it and who wants to be told.

use crate::client::ClientSlot;
use crate::context::Context;
use crate::error::Result;
use crate::queue::CommandQueue;
use std::sync::Arc;

/// `CL_EVENT_COMMAND_EXECUTION_STATUS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutionStatus {
    /// 3
    Queued,
    /// 2
    Submitted,
    /// 1
    Running,
    /// 0
    Complete,
    /// The command, or one it depends on, failed with this negative code.
    Failed(i32),
}

impl ExecutionStatus {
    /// The value OpenCL has for it.
    pub fn value(self) -> i32 {
        match self {
            Self::Queued => 3,
            Self::Submitted => 2,
            Self::Running => 1,
            Self::Complete => 0,
            Self::Failed(code) => code,
        }
    }
}

/// `CL_EVENT_COMMAND_TYPE` with OpenCL's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs, reason = "named as in the specification")]
pub enum CommandType {
    NdRangeKernel = 0x11F0,
    Task = 0x11F1,
    NativeKernel = 0x11F2,
    ReadBuffer = 0x11F3,
    WriteBuffer = 0x11F4,
    CopyBuffer = 0x11F5,
    MapBuffer = 0x11FB,
    UnmapMemObject = 0x11FD,
    Marker = 0x11FE,
    ReadBufferRect = 0x1201,
    WriteBufferRect = 0x1202,
    CopyBufferRect = 0x1203,
    User = 0x1204,
    Barrier = 0x1205,
    MigrateMemObjects = 0x1206,
    FillBuffer = 0x1207,
}

/// The four `CL_PROFILING_COMMAND_*` counters, host nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfilingPoint {
    /// Put into the queue.
    Queued,
    /// Handed to the device.
    Submit,
    /// Began.
    Start,
    /// Ended.
    End,
}

/// An event. Reading its state never waits for the command.
pub struct Event {
    client: ClientSlot,
}

impl Event {
    /// A user event, status SUBMITTED.
    pub fn user(context: &Arc<Context>) -> Arc<Self> {
        let _ = context;
        todo!()
    }
    /// Sets a user event's status: `Complete` or `Failed`.
    ///
    /// # Errors
    /// `InvalidEvent` if not a user event, `InvalidOperation` if set before.
    pub fn set_user_status(&self, status: ExecutionStatus) -> Result<()> {
        let _ = status;
        todo!()
    }
    /// State now.
    pub fn status(&self) -> ExecutionStatus {
        todo!()
    }
    /// What the command is.
    pub fn command_type(&self) -> CommandType {
        todo!()
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        todo!()
    }
    /// Its queue; none for user events.
    pub fn queue(&self) -> Option<&Arc<CommandQueue>> {
        todo!()
    }
    /// A counter.
    ///
    /// # Errors
    /// `ProfilingInfoNotAvailable`: queue without profiling, not complete, or user event.
    pub fn profiling(&self, point: ProfilingPoint) -> Result<u64> {
        let _ = point;
        todo!()
    }
    /// Blocks until complete or failed (flushing what must be flushed) and returns that status.
    pub fn wait(&self) -> ExecutionStatus {
        todo!()
    }
    /// Calls `callback` with the status once the command has reached `threshold`
    /// (at once if it has), or failed. Never called with a lock held.
    pub fn on_status(
        self: &Arc<Self>,
        threshold: ExecutionStatus,
        callback: Box<dyn FnOnce(ExecutionStatus) + Send>,
    ) {
        let _ = (threshold, callback);
        todo!()
    }
}

impl crate::client::ClientObject for Event {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}
