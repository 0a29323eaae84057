//! Accesses to images whose outcome OpenCL leaves undefined. Which they are is decided by the code and
//! told by the findings' messages; here they are collected.

use super::checker;
use crate::work_group::WorkGroupContext;

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

/// Reports an access to an image; `u`, `v` and `w` are its coordinates.
///
/// # Safety
/// The context is the one that the work-group function was called with.
pub unsafe extern "C" fn report(
    context: *const WorkGroupContext,
    site: u64,
    sampler: u64,
    u: u32,
    v: u32,
    w: u32,
    x: u64,
    y: u64,
    z: u64,
) {
    // SAFETY: as the caller promises.
    if let Some(checker) = unsafe { checker(context) } {
        let found = ImageFinding {
            site,
            sampler,
            coordinates: [u, v, w],
        };
        // SAFETY: as the caller promises.
        let context = unsafe { &*context };
        checker.images.add(context, [x, y, z], site, found);
    }
}
