//! Builds the Debian package with `cargo-deb`. `icd/Cargo.toml` has its metadata, the table of
//! installed files its contents.

use super::{folder, fresh, only};
use crate::install::{self, files, layout::Layout};
use crate::{command, platform};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const CARGO_DEB: &str = "3.8.0";

/// Builds the package from the built files.
///
/// # Errors
/// A program fails.
pub fn build() -> Result<PathBuf> {
    let program = cargo_deb()?;
    // The path in icd/Cargo.toml: cargo-deb looks only in cargo's target folder.
    let root = platform::library_folder().join("package-root");
    fresh(&root)?;
    let layout = Layout::new(Path::new("/usr"), Some(root))?;
    install::stage(&files::all(&layout)?, &layout)?;
    changelog(&layout)?;
    compress_manual(&layout)?;
    let output = folder().join("deb");
    fresh(&output)?;
    command::run(
        Command::new(program)
            .args(["deb", "--no-build", "--no-strip", "--quiet"])
            .args(["--package", "icd", "--output"])
            .arg(&output)
            // cargo-deb prints the package's path, which `print_size` prints with the size.
            .stdout(Stdio::null())
            .current_dir(platform::root()),
    )?;
    only(&output, "deb")
}

/// Writes the changelog that Debian's policy requires in each package (section 12.7).
fn changelog(layout: &Layout) -> Result<()> {
    let manifest = fs::read_to_string(platform::root().join("icd/Cargo.toml"))?;
    let maintainer = manifest
        .lines()
        .find_map(|line| line.strip_prefix("maintainer = \"")?.strip_suffix('"'))
        .context("icd/Cargo.toml names no maintainer")?;
    let date = command::output(Command::new("date").arg("-R"))?;
    let text = format!(
        "mocl3 ({}-1) unstable; urgency=medium\n\n  \
         * What has changed is in CHANGELOG.md.\n\n \
         -- {maintainer}  {}",
        env!("CARGO_PKG_VERSION"),
        String::from_utf8_lossy(&date.stdout)
    );
    let file = layout.staged(&layout.documentation().join("changelog.Debian"));
    fs::write(&file, text)?;
    command::run(Command::new("gzip").arg("-9n").arg(file))
}

/// Compresses the manual pages, as Debian's policy requires (section 12.1).
fn compress_manual(layout: &Layout) -> Result<()> {
    let folder = layout.staged(&layout.manual());
    let pages = fs::read_dir(&folder)?.map(|page| Ok(page?.path()));
    let pages = pages.collect::<Result<Vec<PathBuf>>>()?;
    command::run(Command::new("gzip").arg("-9n").args(pages))
}

/// The path of cargo-deb, which is built at its first use.
fn cargo_deb() -> Result<PathBuf> {
    let tools = platform::target().join("tools");
    let program = tools.join("bin/cargo-deb");
    if !program.exists() {
        let mut cargo = platform::cargo();
        cargo.args(["install", "cargo-deb", "--locked", "--no-default-features"]);
        cargo.args(["--version", CARGO_DEB, "--root"]).arg(&tools);
        command::run(&mut cargo)?;
    }
    Ok(program)
}
