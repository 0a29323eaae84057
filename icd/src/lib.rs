//! `libmocl3.so`: OpenCL's C interface over `runtime`. Checks arguments, turns handles
//! into objects and results into error codes; holds no policy.
//!
//! `function_table` lists every function; `entry_point` makes the C side of each from
//! it; the Rust side of each is in the file of its family (`platform`, `device`,
//! `context`, `command_queue`, `buffer`, `image`, `mem_object`, `sampler`, `program`,
//! `kernel`, `execute`, `event`, `enqueue_buffer`, `enqueue_image`, `extension`).

mod buffer;
mod callback;
mod command_queue;
mod context;
mod device;
mod device_info;
mod dispatch;
mod enqueue;
mod enqueue_buffer;
mod enqueue_image;
mod entry_point;
mod event;
mod execute;
mod extension;
mod function_table;
mod handle;
mod host_memory;
mod image;
mod info;
mod kernel;
mod khr;
mod logging;
mod mem_object;
mod partition;
mod performance_counters;
mod platform;
mod program;
mod sampler;
mod trace;
mod version;

#[cfg(test)]
mod coverage;
