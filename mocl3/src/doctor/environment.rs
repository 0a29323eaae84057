//! Environment variables that change which platforms a program sees, or what they do.

use super::findings::Findings;
use std::env::var_os;

/// Variable, and what it does.
const VARIABLES: &[(&str, &str)] = &[
    ("OCL_ICD_VENDORS", "where the loader looks for platforms"),
    (
        "OPENCL_VENDOR_PATH",
        "where ocl-icd looks for platforms, unless OCL_ICD_VENDORS is set",
    ),
    (
        "OCL_ICD_FILENAMES",
        "platforms that the Khronos loader takes besides",
    ),
    (
        "OPENCL_LAYERS",
        "layers between program and platform; try without",
    ),
    (
        "OCL_ICD_PLATFORM_SORT",
        "the order of ocl-icd's platforms: programs often take the first",
    ),
    (
        "OCL_ICD_DEFAULT_PLATFORM",
        "the platform that ocl-icd puts first",
    ),
    (
        "LD_PRELOAD",
        "libraries that come before others, perhaps another loader",
    ),
    (
        "LD_LIBRARY_PATH",
        "where libraries are looked for first, perhaps another loader",
    ),
    (
        "PYOPENCL_CTX",
        "the device that PyOpenCL takes without asking",
    ),
    (
        "OPENCV_OPENCL_DEVICE",
        "the device that OpenCV takes, or `disabled`",
    ),
];

/// Tells those that are set; ours are all told.
pub fn examine(findings: &mut Findings) {
    for (name, meaning) in VARIABLES {
        if let Some(value) = var_os(name) {
            findings.note(format!("{name}={} ({meaning})", value.display()));
        }
    }
    for (name, value) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("MOCL3_") {
            findings.note(format!("{}={}", name.display(), value.display()));
        }
    }
}
