//! What the kernel compiler embeds and is linked with, built from other languages: the C++ shim
//! over clang and LLVM (`shim/`), LLVM's libraries, the bitcode of the builtin library
//! (`builtins/`), and clang's OpenCL C header.
//!
//! The crate has no features that change what it builds but `static-llvm`, so that builds with other
//! features of the compiler use the same.

include!(concat!(env!("OUT_DIR"), "/builtins.rs"));

/// Arguments of clang that programs and the builtin library are compiled with alike, one a line;
/// the mangled names and calling conventions of the two must agree.
pub const FRONT_END_FLAGS: &str = include_str!("../front-end.flags");

/// Passes that programs and the builtin library are prepared with: they promote stack slots to
/// values, which work-group formation needs, and neither duplicate code nor move it across barriers.
pub const PREPARE: &str = include_str!("../prepare.passes").trim_ascii_end();

/// The version of LLVM and clang, for example `22.1.8`.
pub const LLVM_VERSION: &str = env!("MOCL3_LLVM_VERSION");

/// The path of clang's header with OpenCL C's types and macros, on the host that built the crate.
pub const OPENCL_HEADER_PATH: &str = env!("MOCL3_OPENCL_HEADER");

/// The text of clang's header with OpenCL C's types and macros.
pub const OPENCL_HEADER: &str = include_str!(env!("MOCL3_OPENCL_HEADER"));

/// The declarations that programs see: clang's header, and what it lacks.
pub const BASE_HEADER: &str = concat!(
    include_str!(env!("MOCL3_OPENCL_HEADER")),
    include_str!("../builtins/single_halves.h"),
    include_str!("../builtins/trailing_zeros.h")
);
