//! Executes threads of hthreads programs: each thread of a group has an array to itself, with its AM
//! and SM, and runs as a coroutine on the host's threads until it has to wait for another one. Also
//! the functions that device code calls.
//!
//! What a program does depends neither on the number of host threads nor on their speed, as long as its
//! threads access the same memory only in an order that barriers, locks or volatile variables
//! determine (`scheduler`). Knows nothing of devices, images and handles.

mod arithmetic;
mod assembly;
mod check;
mod debugger;
mod device_functions;
mod device_thread;
mod dma;
pub mod exception;
mod faults;
mod floating_point;
pub mod group;
mod host_name;
mod host_output;
mod host_service;
pub mod interrupts;
mod memory;
pub mod progress;
mod scheduler;
mod stacks;
mod synchronisation;

pub use arithmetic::ArithmeticExceptions;
pub use check::shadow::is_available as can_follow_values;
pub use check::{CheckedLaunch, Checks, report as report_findings};
pub use device_functions::{host_functions, names};
pub use host_name::host_name;
pub use host_service::{HostInterrupt, HostService};
pub use memory::shared::{Block, ClusterMemory};
pub use scheduler::cluster::{Cluster, Interrupt, Launch};
pub use scheduler::timed_launch::{LaunchOutcome, Timing};
