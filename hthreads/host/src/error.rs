//! What programs do wrong.

use crate::checking;
use device_image::FormatError;
use device_threads::interrupts::NUMBERS;
use kernel_compiler::BuildFailure;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// An error of a call; displays as the message that the program's standard error gets.
#[derive(Debug, Error)]
pub enum Error {
    /// A cluster cannot be opened.
    #[error("[ERROR] hthread_dev_open: Open DSP cluster {0} failed{1}")]
    Open(i32, String),
    /// A call needs a cluster that is not open.
    #[error("[ERROR] {0}: DSP cluster {1} is not open")]
    NotOpen(&'static str, i32),
    /// An image file cannot be read.
    #[error("[ERROR] {0}: load dat file error: {1}: {2}")]
    Read(&'static str, PathBuf, io::Error),
    /// A file is no image.
    #[error("[ERROR] {0}: load dat file error: {1}: {2}")]
    Format(&'static str, PathBuf, FormatError),
    /// An image cannot be compiled for this host.
    #[error("[ERROR] {0}: load dat file error: {1}: {2}")]
    Compile(&'static str, PathBuf, BuildFailure),
    /// There is no image.
    #[error("[ERROR] {0}: no dat file is loaded in Cluster {1}")]
    NotLoaded(&'static str, i32),
    /// A group without threads.
    #[error("Cannot create thread group with 0 thread")]
    NoThreads,
    /// All cores are in groups.
    #[error("Thread group create failed:\nNo {0} idle threads in cluster {1}")]
    NoIdleCores(i32, i32),
    /// All groups of a cluster exist.
    #[error("Thread group create failed:\nNo idle group in cluster {0}")]
    NoIdleGroup(i32),
    /// The host has no memory for those of the arrays.
    #[error("Thread group create failed:\nthe host has no memory left")]
    NoMemory,
    /// Cores that the program chose are in groups.
    #[error("Threads 0x{0:6x} are busy in Cluster {1}")]
    Busy(u32, i32),
    /// More arguments than kernels can have.
    #[error("Kernel has {0} args, is more than {most}!", most = kernel_compiler::device_c::MAX_ARGUMENTS)]
    TooManyArguments(i64),
    /// The image has no kernel of that name.
    #[error("func {0} not found\nSet function error")]
    NoFunction(String),
    /// A group has no such thread.
    #[error("[ERROR] {0}: thread group {1} has no thread {2}")]
    NoThread(&'static str, i32, i32),
    /// A number that is none of those of programs.
    #[error("[ERROR] {0}: interrupt {1} is not in {first} to {last}", first = NUMBERS.start(), last = NUMBERS.end())]
    NoInterrupt(&'static str, u64),
    /// Arrays that stop after a kernel.
    #[error("[ERROR] {0}: the naive runtime answers no interrupts")]
    NaiveRuntime(&'static str),
    /// There is no such set of cores.
    #[error("[ERROR] {0}: cores {1:#x} of cluster {2} are not open")]
    NoCores(&'static str, u32, i32),
    /// A set of cores has nothing to run.
    #[error("[ERROR] {0}: cores {1:#x} have no entry")]
    NoEntry(&'static str, u32),
    /// Cores whose runtime does not run.
    #[error("[ERROR] mt_xrun: cores {0:#x} of cluster {1} have not been fired")]
    NotFired(u32, i32),
    /// A handler waits for what its own cluster does.
    #[error("[ERROR] {0}: a handler waits for the cluster that has interrupted the host")]
    InHandler(&'static str),
    /// There is no such group.
    #[error("[ERROR] {0}: there is no thread group {1}")]
    NoGroup(&'static str, i32),
}

impl Error {
    /// The status with which the process ends.
    fn exit_status(&self) -> i32 {
        match self {
            Self::NoFunction(_) => -1,
            _ => 1,
        }
    }

    /// Writes the message.
    pub fn report(&self) {
        eprintln!("{self}");
        checking::report_error(self.to_string());
    }

    /// Writes the message and ends the process.
    pub fn exit(&self) -> ! {
        self.report();
        std::process::exit(self.exit_status())
    }
}
