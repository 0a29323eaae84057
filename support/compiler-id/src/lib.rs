//! Identifies the kernel compiler by its sources, so that programs and libraries that contain the
//! same compiler read each other's program binaries and cached code.

/// A hash of the sources of the compiler, of the crates it depends on, and of the versions of
/// packages: 16 hexadecimal digits.
pub const COMPILER_ID: &str = env!("MOCL3_COMPILER_ID");
