//! The kernels of kernels.cl and their arguments.

/// The kind of a kernel argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A buffer, with the minimum number of bytes that the kernel accesses.
    Buffer(usize),
    Bytes(usize),
    Local,
    /// An image that the kernel reads or writes.
    Image {
        read: bool,
    },
    Sampler,
}

/// A kernel of kernels.cl.
pub struct Entry {
    pub name: &'static str,
    pub arguments: &'static [Argument],
    pub required: Option<[usize; 3]>,
}

/// All kernels of the file.
pub const KERNELS: &[Entry] = &[
    Entry {
        name: "fill",
        arguments: &[Argument::Buffer(0), Argument::Bytes(4), Argument::Bytes(1)],
        required: None,
    },
    Entry {
        name: "sum",
        arguments: &[
            Argument::Buffer(0),
            Argument::Buffer(4),
            Argument::Bytes(4),
            Argument::Local,
        ],
        required: None,
    },
    Entry {
        name: "fixed",
        arguments: &[
            Argument::Buffer(32),
            Argument::Buffer(16),
            Argument::Bytes(16),
        ],
        required: Some([4, 2, 1]),
    },
    Entry {
        name: "pixels",
        arguments: &[
            Argument::Image { read: true },
            Argument::Sampler,
            Argument::Buffer(16),
            Argument::Image { read: false },
        ],
        required: None,
    },
    Entry {
        name: "nothing",
        arguments: &[],
        required: None,
    },
];
