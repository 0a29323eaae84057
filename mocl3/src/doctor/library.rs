//! Our library: whether it can be loaded with all it needs.

use super::findings::Findings;
use anyhow::{Context, Result};
use libloading::Library;
use libloading::os::unix;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A library file that is missing, and the Debian package that has it.
const PACKAGES: &[(&str, &str)] = &[
    ("libLLVM", "libllvm22"),
    ("libclang-cpp", "libclang-cpp22"),
    ("libstdc++", "libstdc++6"),
];

/// Loads each library in a process of its own. Whether there is one that can be.
///
/// # Errors
/// This program cannot be started again.
pub fn examine(libraries: &[PathBuf], findings: &mut Findings) -> Result<bool> {
    let mut any = false;
    for library in libraries {
        let mut command = Command::new(std::env::current_exe()?);
        let output = command
            .args(["doctor", "--load"])
            .arg(library)
            .output()
            .context("cannot start myself")?;
        if output.status.success() {
            findings.good(format!("{} can be loaded", library.display()));
            any = true;
            continue;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = match said.trim() {
            "" => format!("loading ended with {}", output.status),
            said => said.to_owned(),
        };
        let missing = PACKAGES.iter().find(|(name, _)| said.contains(name));
        let advice = match missing {
            Some((_, package)) => format!(
                "install Debian's package {package} (apt.llvm.org has \
                                           version 22 for older Debians)"
            ),
            None if library.is_absolute() && !library.exists() => {
                "build it (cargo build --release) or correct the path in the .icd file".into()
            }
            None => "correct the .icd file, or build the library anew on this machine".into(),
        };
        findings.bad(
            format!("{} cannot be loaded: {said}", library.display()),
            advice,
        );
    }
    Ok(any)
}

/// What the process of its own does.
///
/// # Errors
/// Why it cannot be loaded.
pub fn load(path: &Path) -> Result<ExitCode> {
    // With all symbols, as the strictest loader does.
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

/// What the system's linker says, without the crate's words.
fn reason(error: libloading::Error) -> anyhow::Error {
    match &error {
        libloading::Error::DlOpen { source } | libloading::Error::DlSym { source } => {
            anyhow::anyhow!("{source:?}")
        }
        _ => error.into(),
    }
}
