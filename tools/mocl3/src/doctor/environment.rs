//! Environment variables that select platforms or change their behaviour.

use super::findings::Findings;
use environment::{ALL, LOG};
use std::env::var_os;
use std::ffi::OsStr;

/// Variables with their effect.
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

const LEVELS: &[&str] = &["off", "error", "warn", "info", "debug", "trace"];

/// Reports the variables that are set, and all variables of MOCL3.
pub fn examine(findings: &mut Findings) {
    for (name, meaning) in VARIABLES {
        if let Some(value) = var_os(name) {
            findings.note(format!("{name}={} ({meaning})", value.display()));
        }
    }
    for (name, value) in std::env::vars_os() {
        if let Some(ours) = ALL.iter().find(|ours| name == ours.name) {
            let (value, meaning) = (value.display(), ours.meaning);
            findings.note(format!("{ours}={value} ({meaning})"));
        } else if name.to_string_lossy().starts_with("MOCL3_") {
            findings.note(format!("{}={}", name.display(), value.display()));
        } else {
            continue;
        }
        if let Some(wrong) = wrong(&name, &value) {
            findings.note(wrong);
        }
    }
}

/// The error in the value of a MOCL3 variable that the library does not report itself.
fn wrong(name: &OsStr, value: &OsStr) -> Option<String> {
    let value = value.to_string_lossy().to_lowercase();
    if name == LOG.name {
        // Modules of the library may have separate levels: "warn,runtime=debug".
        let known = |part: &str| part.contains('=') || LEVELS.contains(&part.trim());
        let right = value.is_empty() || value.split(',').all(known);
        return (!right).then(|| format!("that is none of {}", LEVELS.join(", ")));
    }
    let known = ALL.iter().any(|one| name == one.name);
    (!known).then(|| {
        let name = name.to_string_lossy();
        let squeezed = |name: &str| name.replace('_', "").to_uppercase();
        match ALL.iter().find(|one| squeezed(one.name) == squeezed(&name)) {
            Some(meant) => format!("there is no such variable; {meant} is meant perhaps"),
            None => "there is no such variable; docs/environment.md lists them".into(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::wrong;
    use std::ffi::OsStr;

    fn problem(name: &str, value: &str) -> Option<String> {
        wrong(OsStr::new(name), OsStr::new(value))
    }

    #[test]
    fn names_and_levels_that_nothing_reads() {
        let meant = problem("MOCL3_CACHEDIR", "/x").unwrap();
        assert!(meant.contains("MOCL3_CACHE_DIR"), "{meant}");
        assert!(problem("MOCL3_FAST", "1").is_some());
        assert!(problem("MOCL3_LOG", "loud").is_some());
        for (name, value) in [
            ("MOCL3_LOG", "Debug"),
            ("MOCL3_LOG", "warn,runtime=debug"),
            ("MOCL3_CACHE_DIR", "/x"),
        ] {
            assert_eq!(problem(name, value), None);
        }
    }
}
