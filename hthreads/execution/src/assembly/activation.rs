//! What is known of a function in assembly that runs.

/// A function in assembly that has been called and has not returned.
#[derive(Clone, Copy, Debug)]
pub struct Activation {
    /// The file and the packet that is executed, or has called.
    pub at: (usize, u32),
    /// An address on the thread's stack: those of functions that it calls are below.
    pub stack: usize,
    /// Where the stacks in AM and SM of functions that it calls begin.
    pub stacks: [u64; 2],
}
