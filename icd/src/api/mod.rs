//! The functions of OpenCL, by object: each implements `Call` for its arguments.

mod buffer;
mod command_queue;
mod context;
mod custom_device_info;
mod device;
pub mod device_info;
mod enqueue_buffer;
mod enqueue_image;
mod enqueue_kernel;
mod errors;
mod event;
mod extension_functions;
mod image;
pub mod info;
mod kernel;
mod mem_object;
pub mod mocl3;
mod partition;
mod platform;
mod program;
mod sampler;
mod submission;
mod version;
