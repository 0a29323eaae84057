//! Names of objects.

/// Identifies an object by the step that created it, so that it keeps its number when other steps
/// are left out.
pub type Id = u32;
