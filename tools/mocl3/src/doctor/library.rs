//! Examines whether the library can be loaded with all its dependencies.

use super::findings::Findings;
use super::process;
use crate::open_cl::said;
use anyhow::{Context, Result};
use libloading::Library;
use libloading::os::unix;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// A missing library file, and the Debian package that contains it.
const PACKAGES: &[(&str, &str)] = &[
    ("libLLVM", "libllvm22"),
    ("libclang-cpp", "libclang-cpp22"),
    ("libstdc++", "libstdc++6"),
];

/// The dynamic linker's message, and advice.
const ADVICE: &[(&str, &str)] = &[
    (
        "failed to map segment",
        "its folder may be mounted with noexec: install it in another one; or there is too \
         little memory for it (ulimit -v)",
    ),
    (
        "version `GLIBC",
        "it was made for a newer system than this one: build it here",
    ),
    (
        "undefined symbol",
        "it was made with another version of a library that it needs (LLVM 22): build it here",
    ),
    (
        "version `LLVM",
        "it was made with another version of LLVM: build it here",
    ),
    (
        "no OpenCL platform",
        "correct the .icd file, or build the library anew",
    ),
];

const TIME: Duration = Duration::from_secs(60);

/// Loads each library in a separate process. Returns whether one can be loaded.
///
/// # Errors
/// This program cannot be started again.
pub fn examine(libraries: &[PathBuf], findings: &mut Findings) -> Result<bool> {
    let mut any = false;
    for library in libraries {
        let mut command = process::this_program()?;
        command.arg("--load").arg(library);
        let said = match process::output(&mut command, TIME)? {
            Some(output) if output.status.success() => {
                findings.good(format!("{} can be loaded", library.display()));
                any = true;
                continue;
            }
            None => format!("loading did not end within {} s", TIME.as_secs()),
            Some(output) => match String::from_utf8_lossy(&output.stderr).trim() {
                "" => format!("loading ended with {}", output.status),
                said => said.strip_prefix("error: ").unwrap_or(said).to_owned(),
            },
        };
        findings.bad(
            format!("{} cannot be loaded: {said}", library.display()),
            advice(library, &said),
        );
    }
    Ok(any)
}

fn advice(library: &Path, said: &str) -> String {
    if said.contains("Permission denied") {
        return "let all users read it: chmod a+r, and a+x for the folders above it".into();
    }
    if library.is_absolute() && !library.exists() {
        return "install or build it (cargo build --release), or correct the path in the .icd \
                file"
            .into();
    }
    if let Some(what) = foreign(library) {
        return format!(
            "{what}: replace it by the library for this processor, or build it on this machine"
        );
    }
    let absent = said.contains("cannot open shared object file");
    if let Some((_, package)) = PACKAGES
        .iter()
        .find(|(name, _)| absent && said.contains(name))
    {
        return format!(
            "install Debian's package {package}. Debian 12 has LLVM 22 in its security updates \
             (bookworm-security in /etc/apt/sources.list); for others, apt.llvm.org"
        );
    }
    if let Some((_, advice)) = ADVICE.iter().find(|(words, _)| said.contains(words)) {
        return (*advice).into();
    }
    // "libz3.so.4: cannot open shared object file: …"
    match said.split_once(": cannot open shared object file") {
        Some((missing, _)) if absent && !library.ends_with(missing) => format!(
            "it needs {missing}, which this machine lacks: install the package that has it, or \
             build the library anew on this machine"
        ),
        Some(_) => "write the library's absolute path into the .icd file".into(),
        None => "correct the .icd file, or build the library anew on this machine".into(),
    }
}

/// A description of a file that is no library for this machine's processors.
fn foreign(library: &Path) -> Option<&'static str> {
    // ELF's header: four magic bytes, then 32 or 64 bits; the machine at byte 18.
    let mut header = [0; 20];
    let whole = File::open(library).ok()?.read_exact(&mut header).is_ok();
    if !whole || header[..4] != *b"\x7fELF" {
        return Some("it is no library");
    }
    const BITS_64: u8 = 2;
    const X86_64: u16 = 62;
    let machine = u16::from_le_bytes([header[18], header[19]]);
    (header[4] != BITS_64 || machine != X86_64).then_some("it is for another kind of processor")
}

/// Loads the library, in a separate process.
///
/// # Errors
/// The dynamic linker's message.
pub fn load(path: &Path) -> Result<ExitCode> {
    let reason = |error| anyhow::Error::msg(said(error));
    // All symbols are resolved at once, as the strictest OpenCL loader does.
    // SAFETY: the library's initialisers run in any program that uses OpenCL; this process
    // does nothing else.
    let library = unsafe { unix::Library::open(Some(path), unix::RTLD_NOW) };
    let library = Library::from(library.map_err(reason)?);
    // SAFETY: the address is not used.
    unsafe { library.get::<*const ()>(c"clGetExtensionFunctionAddress") }
        .map_err(reason)
        .context("it is no OpenCL platform")?;
    std::mem::forget(library);
    Ok(ExitCode::SUCCESS)
}
