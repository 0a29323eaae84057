//! What the lines of a recording say.
//!
//! Times that are not called host times are nanoseconds of the simulated machine's clock, the
//! one that event profiling tells. Host times are nanoseconds since the platform was loaded.

use device_sim::timing::cost::SourceFile;
use device_sim::timing::launch_report::LaunchReport;
use serde::{Deserialize, Serialize};

/// Version of the format: readers refuse others.
pub const FORMAT: u32 = 2;

/// A line of a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Line {
    /// The first one.
    Header(Header),
    /// A program was built.
    Program(Program),
    /// A command ended.
    Command(Box<Command>),
    /// The host program called an API function.
    Call(Call),
    /// The last one.
    End(End),
}

/// Who wrote the recording, and on what machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// `FORMAT` of the writer.
    pub format: u32,
    /// Process.
    pub pid: u32,
    /// The host program and its arguments.
    pub arguments: Vec<String>,
    /// Name of the machine.
    pub machine: String,
    /// Cycles of the clusters per second.
    pub clock: u64,
    /// Lanes of an array.
    pub lanes: u32,
    /// DMA channels of an array.
    pub dma_channels: u32,
    /// The clusters, by number.
    pub devices: Vec<Device>,
    /// What the machine can do at most.
    pub peaks: Peaks,
    /// Host threads that run kernels.
    pub host_threads: u32,
}

/// A cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// `CL_DEVICE_NAME`.
    pub name: String,
    /// Number of arrays.
    pub arrays: u32,
}

/// What the machine can do at most. Operations are floating-point operations per second, a fused
/// multiply-add being two; bandwidths are bytes per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peaks {
    /// Operations of an array in single precision.
    pub single: u64,
    /// Operations of an array in double precision.
    pub double: u64,
    /// Bandwidth of a cluster's DDR.
    pub ddr: u64,
    /// Bandwidth of a cluster's GSM.
    pub gsm: u64,
    /// Bandwidth of a cluster's HBSM.
    pub hbsm: u64,
    /// Bandwidth of an array's AM.
    pub am: u64,
    /// Bandwidth of an array's SM.
    pub sm: u64,
    /// Bandwidth of an array's DMA channels together.
    pub dma: u64,
}

/// A program that was built; written when its first kernel is launched, and again with more
/// files when these are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// What commands name: from 1 on.
    pub number: u64,
    /// Its sources, under the names that `LineCycles::file` gives.
    pub files: Vec<SourceFile>,
}

/// A command that ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// From 1 on, in the order in which the process put them into queues.
    pub number: u64,
    /// Queue: from 1 on.
    pub queue: u64,
    /// The queue runs one command after the other.
    pub in_order: bool,
    /// Number of the cluster.
    pub device: u32,
    /// First of the queue's arrays in the cluster; not 0 only for sub-devices.
    #[serde(default)]
    pub first_array: u32,
    /// How many arrays the queue has.
    pub arrays: u32,
    /// OpenCL's name of the type, e.g. `CL_COMMAND_NDRANGE_KERNEL`.
    pub kind: String,
    /// 0, or the error code with which it ended.
    #[serde(default)]
    pub status: i32,
    /// Kernel, of launches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// Number of the kernel's program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<u64>,
    /// Work-items, of launches: one number for each dimension.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub global_size: Vec<u64>,
    /// Work-items of a group, of launches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub local_size: Vec<u64>,
    /// Bytes that the command is to transfer, of transfers and fills.
    #[serde(default)]
    pub bytes: u64,
    /// Bytes that had to be brought to where the command needs them (docs/machine-model.md,
    /// "Where contents are"), of all commands.
    #[serde(default)]
    pub moved: u64,
    /// `CL_PROFILING_COMMAND_QUEUED`.
    pub queued: u64,
    /// `CL_PROFILING_COMMAND_SUBMIT`.
    pub submit: u64,
    /// `CL_PROFILING_COMMAND_START`.
    pub start: u64,
    /// `CL_PROFILING_COMMAND_END`.
    pub end: u64,
    /// Numbers of the commands that it waited for by its wait list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waited_for: Vec<u64>,
    /// Host time at which it began to run on the host.
    pub host_begin: u64,
    /// Host time at which it had run.
    pub host_end: u64,
    /// What the launch was like. Its cycles count from `start` less `timing.start` cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<LaunchReport>,
    /// Number of a command before with the same report, which is not written twice. Who reads a
    /// recording finds the report itself, and nothing here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_report_as: Option<u64>,
}

/// A call of an API function by the host program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Name.
    pub function: String,
    /// Which of the host program's threads: from 1 on.
    pub thread: u64,
    /// Simulated time at which it was called.
    pub begin: u64,
    /// Simulated time at which it returned.
    pub end: u64,
    /// Host time at which it was called.
    pub host_begin: u64,
    /// Host time at which it returned.
    pub host_end: u64,
    /// The command that it put into a queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<u64>,
}

/// The process is done with the platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Host time: nanoseconds since the platform was loaded.
    pub host_time: u64,
    /// Simulated time.
    pub time: u64,
}
