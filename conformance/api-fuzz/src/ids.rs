//! Names of objects.

/// Names an object: by the step that made it, so that it keeps its name when other steps
/// are left out.
pub type Id = u32;
