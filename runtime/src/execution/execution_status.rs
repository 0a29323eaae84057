//! The execution status of commands and events.

/// `CL_EVENT_COMMAND_EXECUTION_STATUS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutionStatus {
    /// `CL_QUEUED`, 3
    Queued,
    /// `CL_SUBMITTED`, 2
    Submitted,
    /// `CL_RUNNING`, 1
    Running,
    /// `CL_COMPLETE`, 0
    Complete,
    /// The command, or one that it depends on, failed with this negative error code.
    Failed(i32),
}

impl ExecutionStatus {
    /// The value in OpenCL's headers.
    pub fn value(self) -> i32 {
        match self {
            Self::Queued => 3,
            Self::Submitted => 2,
            Self::Running => 1,
            Self::Complete => 0,
            Self::Failed(code) => code,
        }
    }

    pub(crate) fn from_value(value: i32) -> Self {
        match value {
            3 => Self::Queued,
            2 => Self::Submitted,
            1 => Self::Running,
            0 => Self::Complete,
            code => Self::Failed(code),
        }
    }

    pub(crate) fn has_ended(self) -> bool {
        self.value() <= 0
    }

    pub(crate) fn has_failed(self) -> bool {
        self.value() < 0
    }
}
