//! Addresses in the host program's memory.

/// An address in the host program's memory, which is valid under the rules that
/// OpenCL has for the API call that passed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostPointer(pub *mut u8);

// SAFETY: it is only a number here; code that dereferences it relies on the specification's
// rules for the host program.
unsafe impl Send for HostPointer {}
// SAFETY: as above.
unsafe impl Sync for HostPointer {}

impl HostPointer {
    /// The address `bytes` after this one.
    pub(crate) fn offset(self, bytes: usize) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}
