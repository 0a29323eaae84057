//! What the reports say of a kernel.

use std::ops::Range;

/// A kernel with its arguments. The functions are called from signal handlers: implementations
/// only read, without allocation and locks.
pub trait KernelDescription: Sync {
    /// The kernel's name.
    fn name(&self) -> &str;

    /// Argument `index`; none if the kernel has fewer.
    fn argument(&self, index: usize) -> Option<DescribedArgument<'_>>;
}

/// An argument of a kernel.
pub struct DescribedArgument<'a> {
    /// Its name in the source; may be empty.
    pub name: &'a str,
    /// Addresses of the buffer that it points to, empty and at 0 for NULL; none if it is no buffer.
    pub addresses: Option<Range<usize>>,
}

/// A function without arguments.
impl KernelDescription for &str {
    fn name(&self) -> &str {
        self
    }

    fn argument(&self, _: usize) -> Option<DescribedArgument<'_>> {
        None
    }
}
