//! What OpenCL programs are granted of the machine.

use super::Quantity;
use serde::{Deserialize, Serialize};

/// Limits that OpenCL's device queries report.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OpenClLimits {
    /// Most work-items of a work-group.
    pub work_group_size: Quantity,
    /// Largest buffer, bytes.
    pub largest_allocation: Quantity,
    /// Largest `__constant` argument, bytes.
    pub constant_buffer: Quantity,
    /// Most `__constant` arguments of a kernel.
    pub constant_arguments: Quantity,
    /// Largest argument block of a kernel, bytes.
    pub argument_block: Quantity,
    /// Alignment of buffers, bytes.
    pub base_alignment: Quantity,
    /// Line of the cache before global memory, bytes.
    pub cache_line: Quantity,
    /// The cache before global memory, bytes.
    pub cache: Quantity,
    /// Images.
    pub images: ImageLimits,
}

/// Limits of images and samplers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ImageLimits {
    /// Width of 1D and 2D images, and of arrays of them, pixels.
    pub width_2d: Quantity,
    /// Height of 2D images and arrays of them, pixels.
    pub height_2d: Quantity,
    /// Width of 3D images, pixels.
    pub width_3d: Quantity,
    /// Height of 3D images, pixels.
    pub height_3d: Quantity,
    /// Depth of 3D images, pixels.
    pub depth_3d: Quantity,
    /// Images in an array.
    pub array: Quantity,
    /// Width of images made from buffers, pixels.
    pub buffer: Quantity,
    /// What the row pitch of a 2D image of a buffer is a multiple of, pixels.
    pub pitch_alignment: Quantity,
    /// Alignment of host memory that a 2D image of a buffer uses, pixels.
    pub base_address_alignment: Quantity,
    /// Images that a kernel can read.
    pub read_arguments: Quantity,
    /// Images that a kernel can write.
    pub write_arguments: Quantity,
    /// Samplers that a kernel can be given.
    pub samplers: Quantity,
}
