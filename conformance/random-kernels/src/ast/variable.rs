//! Variables and the address spaces that they are in.

use crate::types::Shape;

/// A memory of section 6.5.
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

/// An object or pointer that has a name.
#[derive(Clone, Debug)]
pub enum Variable {
    /// An object: in private memory, in local memory (kernel scope) or in constant
    /// memory (program scope).
    Object {
        /// The memory that it is in.
        space: Space,
        /// Its type.
        shape: Shape,
    },
    /// A pointer to the first of several elements.
    Pointer {
        /// The memory that it points into.
        space: Space,
        /// Type of the elements.
        element: Shape,
    },
}
