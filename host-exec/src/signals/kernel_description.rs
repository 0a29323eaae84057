//! What the reports say of a kernel.

use std::ops::Range;
use std::sync::Arc;

/// A kernel with its arguments. The functions are called from signal handlers: implementations
/// only read, without allocation and locks.
pub trait KernelDescription: Sync {
    /// The kernel's name.
    fn name(&self) -> &str;

    /// What finds source places of its code, for another thread; none if nothing does.
    fn source_lookup(&self) -> Option<Arc<dyn SourceLookup>>;

    /// Argument `index`; none if the kernel has fewer.
    fn argument(&self, index: usize) -> Option<DescribedArgument<'_>>;
}

/// Finds places in the source of a kernel. Keeps the code alive.
pub trait SourceLookup: Send + Sync {
    /// The place of the instruction at an address, as lines of text; none if it is not known. May
    /// compile the kernel again.
    fn describe(&self, address: usize) -> Option<String>;
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

    fn source_lookup(&self) -> Option<Arc<dyn SourceLookup>> {
        None
    }

    fn argument(&self, _: usize) -> Option<DescribedArgument<'_>> {
        None
    }
}
