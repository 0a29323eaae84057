//! Memory objects, the regions that commands access, and where contents reside.

pub mod buffer;
pub(crate) mod copy_endpoint;
pub mod image;
pub mod image_format;
pub(crate) mod image_shape;
pub(crate) mod mapping;
pub mod mem_object;
pub(crate) mod rectangle;
pub(crate) mod residency;
pub mod sampler;
