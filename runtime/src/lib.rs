//! OpenCL's objects and what they do: platform, devices, contexts, queues, events,
//! buffers, images, samplers, programs, kernels. `icd` puts the C interface over it;
//! `unsafe` is only where the host program's memory is copied and compiled kernels are
//! run.

mod ahead;
mod argument_limits;
mod background;
pub mod buffer;
mod callbacks;
mod checking;
pub mod client;
pub mod command;
mod command_time;
pub mod context;
pub mod counters;
mod defective;
pub mod device;
pub mod error;
pub mod event;
pub mod extension;
mod host_clock;
pub mod image;
pub mod image_command;
pub mod image_format;
mod image_shape;
pub mod kernel;
mod launch;
mod mapping;
pub mod mem_object;
mod occupation;
pub mod partition;
mod place;
pub mod platform;
mod profiling_time;
pub mod program;
pub mod queue;
mod ready;
pub mod recorder;
mod rectangle;
mod residency;
pub mod sampler;
mod spent;
mod task;
mod termination;
mod timeline;
pub mod unique_identifier;
mod work_group_size;
mod workers;
