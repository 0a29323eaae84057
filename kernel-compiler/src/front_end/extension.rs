//! Extensions of OpenCL C.

/// An optional extension of OpenCL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension {
    /// Its name string.
    pub name: &'static str,
    /// The version of its specification that is supported: major, minor, patch.
    pub version: [u32; 3],
}

impl Extension {
    /// An extension in the first version of its specification that has a number.
    pub const fn first(name: &'static str) -> Self {
        Self {
            name,
            version: [1, 0, 0],
        }
    }
}

/// Extensions of the language: programs may enable them, and clang gets them as arguments.
pub const LANGUAGE_EXTENSIONS: &[Extension] = &[
    Extension::first("cl_khr_3d_image_writes"),
    Extension::first("cl_khr_byte_addressable_store"),
    Extension::first("cl_khr_fp16"),
    Extension::first("cl_khr_fp64"),
    Extension::first("cl_khr_global_int32_base_atomics"),
    Extension::first("cl_khr_global_int32_extended_atomics"),
    Extension::first("cl_khr_int64_base_atomics"),
    Extension::first("cl_khr_int64_extended_atomics"),
    Extension::first("cl_khr_local_int32_base_atomics"),
    Extension::first("cl_khr_local_int32_extended_atomics"),
];

/// The optional features of OpenCL C 3.0 (section 6.2.1 there) that there are and clang asks
/// about; clang defines `__opencl_c_int64` always.
const FEATURES: &[&str] = &[
    "__opencl_c_3d_image_writes",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_fp64",
    "__opencl_c_images",
];

/// The option by which clang learns which extensions and features there are. Without it clang
/// takes x86-64 to have every extension it knows.
pub fn clang_argument() -> String {
    let extensions = LANGUAGE_EXTENSIONS.iter().map(|extension| extension.name);
    let names = extensions.chain(FEATURES.iter().copied());
    let names = names.map(|name| format!(",+{name}"));
    format!("-cl-ext=-all{}", names.collect::<String>())
}
