//! Variables and the address spaces that they are in.

use crate::types::Shape;

/// An address space of section 6.5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Space {
    Private,
    Local,
    Global,
    Constant,
}

/// Number of a variable in [`super::Program::variables`].
pub type VariableId = usize;

/// A named object or pointer.
#[derive(Clone, Debug)]
pub enum Variable {
    /// An object in private memory, local memory (kernel scope) or constant memory (program scope).
    Object {
        /// The object's address space.
        space: Space,
        /// The object's type.
        shape: Shape,
    },
    /// A pointer to the first of several elements.
    Pointer {
        /// The address space of the elements.
        space: Space,
        /// Type of the elements.
        element: Shape,
    },
}
