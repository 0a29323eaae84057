//! What hthreads calls return when they fail.

use device_sim::memory::OutOfMemory;
use device_sim::scratchpad::NoStorage;

/// An hthreads call that failed; the codes are those of the host header.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HthreadError {
    /// An argument is out of its range.
    #[error("{0}")]
    OutOfRange(String),
    /// The device has no memory left.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The host cannot back what the device has.
    #[error(transparent)]
    NoStorage(#[from] NoStorage),
}

impl HthreadError {
    /// `HT_OUT_OF_RANGE` or `HT_FAIL_UNKNOWN`.
    pub fn code(&self) -> i32 {
        match self {
            Self::OutOfRange(_) => -2,
            Self::OutOfMemory(_) | Self::NoStorage(_) => -1,
        }
    }
}
