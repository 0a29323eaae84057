//! The `.icd` files, by which the loader finds platforms.

use super::findings::Findings;
use super::loader::Loader;
use std::env::var_os;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

const SYSTEM: &str = "/etc/OpenCL/vendors";

const REGISTER: &str = "in MOCL3's folder, for this shell: eval \"$(cargo xtask env)\"; for all \
                        programs: cargo xtask install, as root, which writes \
                        /etc/OpenCL/vendors/mocl3.icd";

/// What to do so that the loader finds our `.icd` file.
fn advice() -> String {
    match private_vendors() {
        Some(folder) => format!(
            "MOCL3 is installed with a prefix of its own, of which the loader has to be told: \
             export OCL_ICD_VENDORS='{}/'",
            folder.display()
        ),
        None => REGISTER.into(),
    }
}

/// The folder that has the `.icd` file if this program was installed below a private prefix
/// (xtask/src/install/layout.rs).
fn private_vendors() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let prefix = program.parent()?.parent()?;
    let folder = prefix.join("etc/OpenCL/vendors");
    folder.join("mocl3.icd").is_file().then_some(folder)
}

/// The libraries named that look like MOCL3.
pub fn examine(loader: Loader, findings: &mut Findings) -> Vec<PathBuf> {
    let place = place(loader);
    let is = |extension: &str| place.extension() == Some(OsStr::new(extension));
    if place.is_file() && loader == Loader::OclIcd {
        // ocl-icd takes a file in the place of a folder.
        if is("so") {
            return vec![place];
        }
        return library_of(&place, findings).into_iter().collect();
    }
    let entries = match fs::read_dir(&place) {
        Ok(entries) => entries,
        Err(error) => {
            findings.bad(
                format!(
                    "the loader looks for platforms in {}: {error}",
                    place.display()
                ),
                advice(),
            );
            return Vec::new();
        }
    };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new("icd")))
        .collect();
    files.sort();
    let libraries: Vec<PathBuf> = files
        .iter()
        .filter_map(|file| library_of(file, findings))
        .filter(|library| library.to_string_lossy().contains("mocl3"))
        .collect();
    if libraries.is_empty() {
        findings.bad(
            format!("no .icd file in {} names MOCL3", place.display()),
            advice(),
        );
    }
    libraries
}

/// Where the loader looks.
fn place(loader: Loader) -> PathBuf {
    let set = |name| var_os(name).filter(|value| !value.is_empty());
    set("OCL_ICD_VENDORS")
        .or_else(|| set("OPENCL_VENDOR_PATH").filter(|_| loader == Loader::OclIcd))
        .map_or_else(|| SYSTEM.into(), PathBuf::from)
}

/// The library that a file names.
fn library_of(file: &Path, findings: &mut Findings) -> Option<PathBuf> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            findings.bad(
                format!("{}: {error}", file.display()),
                "let everybody read it (chmod a+r), or write it anew",
            );
            return None;
        }
    };
    let line = text.lines().next().unwrap_or_default().trim();
    if line.is_empty() {
        findings.bad(
            format!("{} is empty", file.display()),
            "write the absolute path of the platform's library into it",
        );
        return None;
    }
    findings.good(format!("{} names {line}", file.display()));
    let library = PathBuf::from(line);
    if text.strip_suffix('\n').unwrap_or(&text) != line && line.contains("mocl3") {
        findings
            .note("there is more than the name in it, which some loaders take for a part of it");
    }
    if library.is_relative() && line.contains("mocl3") {
        findings.note(
            "that is found by LD_LIBRARY_PATH or the system's folders only; an absolute path \
             is found always",
        );
    }
    Some(library)
}
