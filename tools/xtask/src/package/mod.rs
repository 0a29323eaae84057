//! `cargo xtask package`: a Debian package and a Python wheel, and their trial.

mod deb;
mod trial;
mod wheel;

use crate::install::files;
use crate::{packages, platform};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Makes both; with `try_them`, tries them in folders of their own.
///
/// # Errors
/// Something cannot be built, or does not work.
pub fn run(try_them: bool) -> Result<()> {
    packages::install(packages::NEEDED)?;
    packages::install(packages::FOR_PACKAGES)?;
    files::build()?;
    let deb = deb::build()?;
    tell(&deb)?;
    let wheel = wheel::build()?;
    tell(&wheel)?;
    if try_them {
        trial::prefix()?;
        trial::deb(&deb)?;
        trial::wheel(&wheel)?;
    }
    Ok(())
}

/// Installs what is built below a prefix with an odd name, uses it, and removes it.
///
/// # Errors
/// Something cannot be built, or does not work.
pub fn try_installation() -> Result<()> {
    files::build()?;
    trial::prefix()
}

/// Where packages are made, and left.
fn folder() -> PathBuf {
    platform::target().join("package")
}

/// An empty folder of this name.
fn fresh(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))
}

/// The one file in a folder that ends so.
fn only(folder: &Path, extension: &str) -> Result<PathBuf> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries
        .into_iter()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|one| one == extension))
        .with_context(|| format!("no .{extension} file was made in {}", folder.display()))
}

fn tell(package: &Path) -> Result<()> {
    let bytes = fs::metadata(package)?.len();
    println!("{} ({} MB)", package.display(), bytes.div_ceil(1_000_000));
    Ok(())
}
