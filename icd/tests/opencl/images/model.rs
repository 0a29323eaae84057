//! Images as a plain list of pixels, and their descriptions.

use cl_sys::*;
pub use error_cases::images::{RGBA8, desc, format};

/// Pixels, rows or images, slices or images, of each type that has its own memory.
pub const TYPES: [(cl_mem_object_type, [usize; 3]); 5] = [
    (CL_MEM_OBJECT_IMAGE1D, [7, 1, 1]),
    (CL_MEM_OBJECT_IMAGE1D_ARRAY, [5, 6, 1]),
    (CL_MEM_OBJECT_IMAGE2D, [9, 5, 1]),
    (CL_MEM_OBJECT_IMAGE2D_ARRAY, [6, 5, 4]),
    (CL_MEM_OBJECT_IMAGE3D, [5, 4, 3]),
];

/// What OpenCL C calls a type, and the coordinates of a work-item's pixel in it.
pub fn in_kernel(image_type: cl_mem_object_type) -> (&'static str, &'static str) {
    match image_type {
        CL_MEM_OBJECT_IMAGE1D => ("image1d_t", "x"),
        CL_MEM_OBJECT_IMAGE1D_BUFFER => ("image1d_buffer_t", "x"),
        CL_MEM_OBJECT_IMAGE1D_ARRAY => ("image1d_array_t", "(int2)(x, y)"),
        CL_MEM_OBJECT_IMAGE2D => ("image2d_t", "(int2)(x, y)"),
        CL_MEM_OBJECT_IMAGE2D_ARRAY => ("image2d_array_t", "(int4)(x, y, z, 0)"),
        CL_MEM_OBJECT_IMAGE3D => ("image3d_t", "(int4)(x, y, z, 0)"),
        other => panic!("{other:#x} is no type of image"),
    }
}

pub fn has_slices(image_type: cl_mem_object_type) -> bool {
    matches!(
        image_type,
        CL_MEM_OBJECT_IMAGE1D_ARRAY | CL_MEM_OBJECT_IMAGE2D_ARRAY | CL_MEM_OBJECT_IMAGE3D
    )
}

/// Where each pixel of a region lies in memory with these pitches, bytes.
pub fn offsets(
    image_type: cl_mem_object_type,
    region: [usize; 3],
    element_size: usize,
    row_pitch: usize,
    slice_pitch: usize,
) -> Vec<usize> {
    let mut offsets = Vec::new();
    for z in 0..region[2] {
        for y in 0..region[1] {
            for x in 0..region[0] {
                let (row, slice) = match image_type {
                    CL_MEM_OBJECT_IMAGE1D_ARRAY => (0, y),
                    _ => (y, z),
                };
                offsets.push(slice * slice_pitch + row * row_pitch + x * element_size);
            }
        }
    }
    offsets
}

/// Bytes of pixels that all differ, from a seed on.
pub fn pixels(count: usize, element_size: usize, seed: u8) -> Vec<u8> {
    let mixed = |index: usize| (index.wrapping_mul(0x9E37_79B1) >> 11) as u8;
    (0..count * element_size)
        .map(|index| mixed(index).wrapping_add(seed))
        .collect()
}

/// An image as a list of pixels.
pub struct Model {
    pub extent: [usize; 3],
    element_size: usize,
    pub bytes: Vec<u8>,
}

impl Model {
    pub fn new(extent: [usize; 3], element_size: usize, seed: u8) -> Self {
        Self {
            extent,
            element_size,
            bytes: pixels(extent.iter().product(), element_size, seed),
        }
    }

    /// Places of the pixels of a region.
    pub fn places(&self, origin: [usize; 3], region: [usize; 3]) -> Vec<usize> {
        let mut places = Vec::new();
        for z in origin[2]..origin[2] + region[2] {
            for y in origin[1]..origin[1] + region[1] {
                for x in origin[0]..origin[0] + region[0] {
                    let index = (z * self.extent[1] + y) * self.extent[0] + x;
                    places.push(index * self.element_size);
                }
            }
        }
        places
    }

    pub fn get(&self, origin: [usize; 3], region: [usize; 3]) -> Vec<u8> {
        self.places(origin, region)
            .into_iter()
            .flat_map(|place| self.bytes[place..place + self.element_size].to_vec())
            .collect()
    }

    pub fn set(&mut self, origin: [usize; 3], region: [usize; 3], bytes: &[u8]) {
        let size = self.element_size;
        for (place, pixel) in self
            .places(origin, region)
            .into_iter()
            .zip(bytes.chunks(size))
        {
            self.bytes[place..place + size].copy_from_slice(pixel);
        }
    }
}

/// Numbers that look random; the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    /// From 0 to below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        // Knuth's linear congruential generator (MMIX).
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    pub fn region(&mut self, extent: [usize; 3]) -> ([usize; 3], [usize; 3]) {
        let region = extent.map(|size| 1 + self.below(size));
        let origin = [0, 1, 2].map(|axis| self.below(extent[axis] - region[axis] + 1));
        (origin, region)
    }
}
