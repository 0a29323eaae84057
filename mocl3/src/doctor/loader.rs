//! The loader: the `libOpenCL.so.1` that programs link.

use super::findings::Findings;
use libloading::Library;

const LIBRARY: &str = "libOpenCL.so.1";

/// Loaders differ in what they read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loader {
    /// The one of Debian and most distributions.
    OclIcd,
    /// Khronos' own, or one that we do not know.
    Khronos,
}

/// Variables by which loaders find platforms. What a loader reads is in its file, and which
/// it reads tells the loaders apart.
const VARIABLES: &[&str] = &["OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES"];
const READ_BY_OCL_ICD_ONLY: &str = "OPENCL_VENDOR_PATH";

/// Loads the loader (which loads no platform yet), and says which one it is.
pub fn examine(findings: &mut Findings) -> Option<Loader> {
    // SAFETY: the loaders' initialisers only fill tables of their own.
    let library = match unsafe { Library::new(LIBRARY) } {
        Ok(library) => library,
        Err(error) => {
            findings.bad(
                format!("no OpenCL loader: {error}"),
                "install one: Debian's package ocl-icd-libopencl1",
            );
            return None;
        }
    };
    let path = path().unwrap_or_else(|| LIBRARY.into());
    // The process ends soon.
    std::mem::forget(library);
    let content = std::fs::read(&path).unwrap_or_default();
    let reads = |variable: &&&str| {
        content
            .windows(variable.len())
            .any(|bytes| bytes == variable.as_bytes())
    };
    let variables: Vec<&str> = VARIABLES.iter().filter(reads).copied().collect();
    findings.good(format!(
        "loader: {path}, which reads {}",
        variables.join(", ")
    ));
    if !["/lib", "/usr/lib"]
        .iter()
        .any(|place| path.starts_with(place))
    {
        findings.note(
            "this is not the system's loader; it may look for platforms in a folder of its own, \
             as conda's does ($CONDA_PREFIX/etc/OpenCL/vendors)",
        );
    }
    Some(if variables.contains(&READ_BY_OCL_ICD_ONLY) {
        Loader::OclIcd
    } else {
        Loader::Khronos
    })
}

/// Where it was loaded from.
fn path() -> Option<String> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let path = |line: &str| line.split_once('/').map(|(_, path)| format!("/{path}"));
    maps.lines()
        .filter_map(path)
        .find(|path| path.contains("libOpenCL"))
}
