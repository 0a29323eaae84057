//! `cargo xtask package`: a Debian package and a Python wheel, and their trial.

mod deb;
mod output;
mod trial;
mod wheel;

use crate::install::files;
use crate::packages;
use anyhow::Result;
use output::{folder, fresh, only};

/// Makes both; with `try_them`, tries them in folders of their own.
///
/// # Errors
/// Something cannot be built, or does not work.
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

/// Installs what is built below a prefix with an odd name, uses it, and removes it.
///
/// # Errors
/// Something cannot be built, or does not work.
pub fn try_installation() -> Result<()> {
    files::build()?;
    trial::prefix()
}
