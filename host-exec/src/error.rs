//! Errors of the executor.

use crate::races::shadows::NoShadows;
use crate::scratchpad::NoStorage;
use crate::threads::NoStack;
use crate::time_limit::Overtime;
use device_sim::memory::OutOfMemory;

/// Why a cluster cannot be opened, or a request cannot be served.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExecError {
    /// The machine has fewer clusters.
    #[error("cluster {number} of {count}")]
    NoSuchCluster {
        /// The requested number, from 0.
        number: usize,
        /// Clusters of the machine.
        count: u64,
    },
    /// The cluster has no memory left.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The host has no memory for it.
    #[error(transparent)]
    NoStorage(#[from] NoStorage),
    /// The host has no stack for it.
    #[error(transparent)]
    NoStack(#[from] NoStack),
    /// A launch took too long.
    #[error(transparent)]
    Overtime(#[from] Overtime),
    /// The host has no memory for the shadows of a check.
    #[error(transparent)]
    NoShadows(#[from] NoShadows),
}
