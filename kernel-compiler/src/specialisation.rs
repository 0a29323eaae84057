//! What a kernel is compiled for.

use crate::image_argument::KnownArgument;

/// What a version of the code may take for granted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Specialisation {
    /// The local size, if fixed.
    pub local_size: Option<[u64; 3]>,
    /// All global ids (offset included) are below 2^31.
    pub small_grid: bool,
    /// What is known of each image and sampler among the arguments, in their order;
    /// empty if nothing is.
    pub images: Vec<KnownArgument>,
}
