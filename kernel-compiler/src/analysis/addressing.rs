//! The sizes that addresses are computed with: those of types, and of the largest memory object.

use crate::intrinsics::address_space;
use crate::ir::{DataLayout, Value};

/// Attribute of functions for launches whose buffers have less than [`SMALL_OBJECT_BYTES`].
const SMALL_OBJECTS: &str = "mocl3-small-objects";

/// Upper bound (exclusive) of the size of a buffer in a small launch, and of any object in local
/// memory, in bytes.
pub const SMALL_OBJECT_BYTES: u64 = 1 << 31;

/// Upper bound of the size of any memory object, in bytes.
const MAX_OBJECT_BYTES: u64 = 1 << 33;

/// What the addresses computed in a function depend on.
#[derive(Clone, Copy)]
pub struct Addressing {
    /// Sizes and alignments of types.
    pub layout: DataLayout,
    has_small_objects: bool,
}

impl Addressing {
    /// Of a function that [`mark_small_objects`] may have marked.
    pub fn compute(function: Value) -> Self {
        Self {
            layout: DataLayout::of_function(function),
            has_small_objects: function.has_text_attribute(SMALL_OBJECTS),
        }
    }

    /// Upper bound of the size of the object that a pointer leads into, and so of the distance of
    /// two addresses within it, in bytes.
    pub fn max_object_bytes(self, pointer: Value) -> u64 {
        match pointer.ty().address_space() {
            address_space::LOCAL => SMALL_OBJECT_BYTES,
            _ if self.has_small_objects => SMALL_OBJECT_BYTES,
            _ => MAX_OBJECT_BYTES,
        }
    }
}

/// Records that a function is only called where each buffer has less than [`SMALL_OBJECT_BYTES`].
pub fn mark_small_objects(function: Value) {
    function.set_text_attribute(SMALL_OBJECTS, "");
}
