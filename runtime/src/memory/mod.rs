//! Memory objects, the regions that commands access, and where contents reside.

pub mod buffer;
pub(crate) mod copy_endpoint;
mod destructors;
pub mod flags;
pub mod host_pointer;
pub mod image;
pub mod image_format;
pub mod image_shape;
pub mod image_type;
pub(crate) mod mapping;
pub mod mem_object;
pub(crate) mod memory_access;
pub(crate) mod missing_results;
pub(crate) mod rectangle;
pub(crate) mod residency;
pub mod sampler;
pub(crate) mod strided_range;
pub(crate) mod transfer;
