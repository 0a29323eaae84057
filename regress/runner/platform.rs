//! The platform that cases run on.

use std::ffi::OsStr;
use std::process::Command;

/// What cases run on.
pub struct Platform<'p> {
    /// `CL_PLATFORM_VERSION`, or a part of it.
    pub version: &'p str,
    /// Build options of kernels besides those of the case.
    pub options: &'p str,
    /// Environment variables of the processes that run cases.
    pub variables: &'p [(&'p str, &'p OsStr)],
    /// Starts a process that serves `harness::worker`'s requests on the platform.
    pub worker: &'p (dyn Fn() -> Command + Sync),
}
