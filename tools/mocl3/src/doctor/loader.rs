//! Examines the loader: the `libOpenCL.so.1` that programs link, or one that a program contains.

use super::findings::{Findings, quoted};
use crate::open_cl::{LOADER, load};
use libloading::Library;
use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The kind of loader. Loaders read different variables and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The loader of Debian and most distributions.
    OclIcd,
    /// Khronos' loader, or an unknown one.
    Khronos,
}

/// A loader.
pub struct Loader {
    pub kind: Kind,
    /// The loader's file.
    pub path: PathBuf,
    /// The folder that PyOpenCL passes to its own loader, if this is that loader.
    pub pyopencl_home: Option<PathBuf>,
}

/// Variables by which loaders find platforms. A loader's file contains the names of those that it
/// reads, which identifies the loader.
const VARIABLES: &[&str] = &["OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES"];
const READ_BY_OCL_ICD_ONLY: &str = "OPENCL_VENDOR_PATH";
/// Variables that Khronos' loader reads in addition to the files of a folder.
pub const FILENAMES: &str = "OCL_ICD_FILENAMES";
/// The variable that PyOpenCL sets to its folder when it is imported. Its loader also looks for
/// `.icd` files in the subfolder `.libs`, which contains the loader.
pub const PYOPENCL_HOME: &str = "PYOPENCL_HOME";

/// Loads the loader, and reports which one it is.
pub fn examine(named: Option<&Path>, findings: &mut Findings) -> Option<Loader> {
    let library = match load(named) {
        Ok(library) => library,
        Err(said) => {
            findings.bad(format!("no OpenCL loader: {said}"), advice(named, &said));
            return None;
        }
    };
    let Some(path) = path(&library) else {
        findings.bad(
            "this libOpenCL.so.1 is no OpenCL loader: it has no clGetPlatformIDs",
            "remove it, or its folder from LD_LIBRARY_PATH, and install Debian's package \
             ocl-icd-libopencl1",
        );
        return None;
    };
    // The library is not unloaded: the process ends soon.
    std::mem::forget(library);
    let content = std::fs::read(&path).unwrap_or_default();
    let reads = |variable: &str| {
        content
            .windows(variable.len())
            .any(|bytes| bytes == variable.as_bytes())
    };
    let variables: Vec<&str> = VARIABLES.iter().copied().filter(|one| reads(one)).collect();
    findings.good(format!(
        "loader: {}, which reads {}",
        path.display(),
        variables.join(", ")
    ));
    let pyopencl_home = path
        .parent()
        .and_then(Path::parent)
        .filter(|_| reads(PYOPENCL_HOME))
        .map(Path::to_owned);
    let systems = ["/lib", "/usr/lib"];
    let is_systems = systems.iter().any(|place| path.starts_with(place));
    if let Some(home) = &pyopencl_home {
        findings.note(format!(
            "this is PyOpenCL's own loader, which looks in {} as well",
            home.join(".libs").display()
        ));
    } else if !is_systems {
        findings.note(
            "this is not the system's loader; it may look for platforms in a folder of its own, \
             as conda's does ($CONDA_PREFIX/etc/OpenCL/vendors)",
        );
    }
    if std::env::var_os(FILENAMES).is_some() && !variables.contains(&FILENAMES) {
        findings.note(format!("this loader does not read {FILENAMES}"));
    }
    if named.is_none() {
        for bundled in bundled() {
            findings.note(format!(
                "PyOpenCL in this Python environment has a loader of its own; to examine that one: \
                 mocl3 doctor --loader {}",
                quoted(&bundled)
            ));
        }
    }
    let kind = if variables.contains(&READ_BY_OCL_ICD_ONLY) {
        Kind::OclIcd
    } else {
        Kind::Khronos
    };
    Some(Loader {
        kind,
        path,
        pyopencl_home,
    })
}

fn advice(named: Option<&Path>, said: &str) -> String {
    if named.is_some() {
        return "name the file of a loader, such as libOpenCL.so.1".into();
    }
    if said.contains("No such file") {
        return "install one: Debian's package ocl-icd-libopencl1".into();
    }
    format!(
        "a file of this name hides the loader: remove it, or its folder from LD_LIBRARY_PATH; \
         LD_DEBUG=libs shows where {LOADER} is looked for. The system's is in Debian's package \
         ocl-icd-libopencl1"
    )
}

/// The path from which the loader was loaded, as the dynamic linker knows it: a container may lack
/// /proc.
fn path(library: &Library) -> Option<PathBuf> {
    // SAFETY: only its address is used.
    let symbol = unsafe { library.get::<*const ()>(c"clGetPlatformIDs") }.ok()?;
    let address: *const () = *symbol;
    // SAFETY: all bytes zero is a value of this type: numbers and pointers.
    let mut found: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the address is in a loaded library, and `found` has room for the answer.
    if unsafe { libc::dladdr(address.cast(), &raw mut found) } == 0 || found.dli_fname.is_null() {
        return None;
    }
    // SAFETY: dladdr gives a text that lives as long as the library, which is loaded.
    let name = unsafe { CStr::from_ptr(found.dli_fname) };
    let path = PathBuf::from(OsStr::from_bytes(name.to_bytes()));
    Some(path.canonicalize().unwrap_or(path))
}

/// Loaders in the PyOpenCL of the active Python environment.
fn bundled() -> Vec<PathBuf> {
    let entries = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path())
    };
    ["VIRTUAL_ENV", "CONDA_PREFIX"]
        .iter()
        .filter_map(std::env::var_os)
        .flat_map(|environment| entries(Path::new(&environment).join("lib")))
        .flat_map(|python| entries(python.join("site-packages/pyopencl/.libs")))
        .filter(|path| path.to_string_lossy().contains("libOpenCL"))
        .collect()
}
