//! The format of `launch.json`, which docs/environment.md explains.

use serde::Serialize;

/// The version of the format.
pub const VERSION: u32 = 1;

/// A launch.
#[derive(Serialize)]
pub struct CapturedLaunch {
    pub version: u32,
    pub kernel: String,
    /// The file of the program's binary.
    pub program: String,
    /// The options of the build.
    pub options: String,
    pub work_dimensions: u64,
    pub global_offset: [u64; 3],
    pub global_size: [u64; 3],
    pub local_size: [u64; 3],
    /// Whether local memory begins as zeros.
    pub zeroes_local_memory: bool,
    pub arguments: Vec<Argument>,
    pub memories: Vec<Memory>,
    /// The file of what the launch has printed; none if another one ran at the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
    /// Why only this file has been written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_captured: Option<String>,
}

/// An argument of the kernel.
#[derive(Serialize)]
pub struct Argument {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
    #[serde(flatten)]
    pub content: Content,
}

/// What an argument is.
#[derive(Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Content {
    /// The bytes of a value.
    Value {
        bytes: Vec<u8>,
    },
    /// A size of local memory.
    Local {
        bytes: u64,
    },
    /// A place in a memory.
    Buffer {
        /// Number of the memory.
        memory: usize,
        /// In bytes.
        offset: usize,
    },
    /// A null pointer.
    Null,
    Image,
    Sampler,
}

/// The bytes of a buffer, or of several that share bytes.
#[derive(Serialize)]
pub struct Memory {
    /// Its address when the kernel ran.
    pub address: usize,
    pub bytes: usize,
    /// The file of what it held before the launch.
    pub before: String,
    /// The file of what it held afterwards.
    pub after: String,
}
