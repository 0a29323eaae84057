//! The memories that pointers refer to.

use crate::intrinsics::address_space;
use crate::ir::Value;
use device_sim::machine::SharedMemory;

/// The memory that a pointer, or a vector of pointers, refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// A memory outside the array.
    Outside(SharedMemory),
    /// Array memory.
    Am,
    /// Scalar memory.
    Sm,
    /// Private memory.
    Private,
}

/// The memory that a pointer of a work-group function refers to, by its type; local memory is in
/// `local`.
pub fn space_of_type(pointer: Value, local: Space) -> Space {
    let ty = pointer.ty().scalar();
    if !ty.is_pointer() {
        return Space::Private;
    }
    match ty.address_space() {
        address_space::LOCAL => local,
        address_space::PRIVATE => Space::Private,
        _ => Space::Outside(SharedMemory::Ddr),
    }
}
