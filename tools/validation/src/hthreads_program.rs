//! Programs for hthreads in `examples/`.

use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Builds the program of a folder of `examples/` with its Makefile.
///
/// # Errors
/// The toolchain, which is next to `mocl3`, or make fails.
pub fn build(mocl3: &Path, example: &str, folder: &Path) -> Result<()> {
    let tree = folder.join("mt3000");
    let mut made = Command::new(mocl3.with_file_name("m3cc"));
    run(made.arg("--make-tree").arg(&tree))?;
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for entry in examples.join(example).read_dir()? {
        let file = entry?.path();
        if let Some(name) = file.file_name().filter(|_| file.is_file()) {
            std::fs::copy(&file, folder.join(name)).with_context(|| file.display().to_string())?;
        }
    }
    let mut path = tree.join("dsp_compiler/bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut make = Command::new("make");
    run(make.arg("-s").current_dir(folder).env("PATH", path))
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?}: {errors}");
    Ok(())
}
