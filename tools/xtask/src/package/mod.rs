//! `cargo xtask package`: builds a Debian package and a Python wheel, and tests them.

mod deb;
mod output;
mod trial;
mod wheel;

use crate::install::files;
use crate::packages;
use anyhow::Result;
use output::{folder, fresh, only};

/// Builds both; with `try_them`, also tests them in separate folders.
///
/// # Errors
/// A package cannot be built, or does not work.
pub fn run(try_them: bool) -> Result<()> {
    packages::install(packages::NEEDED)?;
    packages::install(packages::FOR_PACKAGES)?;
    files::build()?;
    let deb = deb::build()?;
    output::print_size(&deb)?;
    let wheel = wheel::build()?;
    output::print_size(&wheel)?;
    if try_them {
        trial::prefix()?;
        trial::deb(&deb)?;
        trial::wheel(&wheel)?;
    }
    Ok(())
}

/// Installs below a prefix with special characters in its name, uses the installation, and removes
/// it.
///
/// # Errors
/// The files cannot be built, or the installation does not work.
pub fn try_installation() -> Result<()> {
    files::build()?;
    trial::prefix()
}
