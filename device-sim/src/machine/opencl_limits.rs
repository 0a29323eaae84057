//! The limits that OpenCL reports of the machine.

use super::quantity::{Limit, Quantity};
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

impl OpenClLimits {
    /// Ranges of all but the images' limits; `ddr` is the size of a cluster's DDR, bytes.
    pub(super) fn limits(&self, ddr: u64) -> Vec<Limit<'_>> {
        vec![
            ("work_group_size", &self.work_group_size, 1, 1 << 15),
            ("largest_allocation", &self.largest_allocation, ddr / 4, ddr),
            ("base_alignment", &self.base_alignment, 128, 4096),
            ("argument_block", &self.argument_block, 1024, 1 << 16),
            (
                "constant_arguments",
                &self.constant_arguments,
                8,
                u32::MAX.into(),
            ),
            ("cache_line", &self.cache_line, 1, 1 << 16),
            ("cache", &self.cache, 1, 1 << 40),
            ("constant_buffer", &self.constant_buffer, 1 << 16, ddr),
        ]
    }

    /// Quantities that have to be powers of two.
    pub(super) fn powers_of_two(&self) -> [(&'static str, &Quantity); 3] {
        let images = &self.images;
        [
            ("base_alignment", &self.base_alignment),
            ("images.pitch_alignment", &images.pitch_alignment),
            (
                "images.base_address_alignment",
                &images.base_address_alignment,
            ),
        ]
    }
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

impl ImageLimits {
    /// Minima: OpenCL 1.2, table 4.3. Kernels address pixels by `int`, or by `float` where there
    /// are samplers: beyond 2^24 not all integers are a `float`.
    pub(super) fn limits(&self) -> Vec<Limit<'_>> {
        let (int, float) = (i32::MAX as u64, 1 << 24);
        vec![
            ("width_2d", &self.width_2d, 8192, float),
            ("height_2d", &self.height_2d, 8192, float),
            ("width_3d", &self.width_3d, 2048, float),
            ("height_3d", &self.height_3d, 2048, float),
            ("depth_3d", &self.depth_3d, 2048, float),
            ("array", &self.array, 2048, float),
            ("buffer", &self.buffer, 65_536, int),
            ("pitch_alignment", &self.pitch_alignment, 1, int),
            (
                "base_address_alignment",
                &self.base_address_alignment,
                1,
                int,
            ),
            ("read_arguments", &self.read_arguments, 128, int),
            ("write_arguments", &self.write_arguments, 8, int),
            ("samplers", &self.samplers, 16, int),
        ]
    }
}
