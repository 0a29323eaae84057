//! Images as the findings of launches have them: accesses whose outcome OpenCL leaves undefined.

/// The size of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageSize {
    /// Pixels in each dimension; 1 in those that it lacks.
    pub pixels: [u32; 3],
    /// Images in the array; 1 for what is no array.
    pub layers: u32,
}

/// An access whose outcome is undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageFinding {
    /// Number of the site.
    pub site: u64,
    /// Bits of the sampler; 0 without one.
    pub sampler: u64,
    /// The coordinates, of which the site has as many as its form says: bits of integers or floats.
    pub coordinates: [u32; 3],
}
