//! The library as programs use it: through the system's `libOpenCL.so.1`.

mod buffers;
mod builds;
mod cache;
mod device_queries;
mod errors;
mod events;
mod extensions;
mod half;
mod held_build;
mod images;
mod initialised_memory;
mod kernel_arguments;
mod kernels;
mod language;
mod large_buffers;
mod library;
mod linking;
mod native_kernels;
mod platform;
mod process;
mod programs;
mod session;
mod sub_devices;
mod trace;
