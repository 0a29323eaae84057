//! The reason for which a program has no defined result.

/// What is undefined in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An access outside of an object.
    OutOfBounds,
    /// Conflicting accesses of several work-items.
    Race,
    /// A read of memory that was never written.
    Uninitialised,
    /// A barrier that not all work-items reach.
    Barrier,
    /// Anything else, or the program is invalid or takes too long.
    Other,
}

/// The reason for which a program has no defined result.
#[derive(Debug)]
pub struct Undefined {
    cause: Cause,
    reason: String,
}

impl Undefined {
    /// An error with a reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self::with_cause(Cause::Other, reason)
    }

    /// An error of this cause.
    pub fn with_cause(cause: Cause, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { cause, reason }
    }

    /// What is undefined.
    pub fn cause(&self) -> Cause {
        self.cause
    }
}

impl std::fmt::Display for Undefined {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.reason)
    }
}
