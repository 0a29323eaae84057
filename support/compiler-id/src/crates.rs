/// The folders of the kernel compiler and of the crates it depends on.
pub const CRATES: &[&str] = &[
    "compiler-resources",
    "device-sim",
    "host-exec",
    "hthreads/assembly",
    "hthreads/image",
    "kernel-compiler",
    "support/environment",
    "support/expression",
    "support/fault-injection",
    "support/findings",
];
