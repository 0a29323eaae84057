//! `mocl3 conformance`: the conformance suite, a program of its own in the same folder.

use anyhow::{Error, anyhow};
use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The subcommand's name.
pub const NAME: &str = "conformance";

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 conformance
  mocl3 conformance --platform 'Portable Computing Language' --json report.json
  mocl3 conformance --list --filter image";

/// The names of the suite's program: the installed one, and cargo's.
const PROGRAMS: [&str; 2] = ["mocl3-conformance", "conformance"];

/// The variable with the command that the suite prints for a case to be repeated.
const SHOWN_AS: &str = "CONFORMANCE_SHOWN_AS";

/// Arguments of `mocl3 conformance`, which the suite's program parses.
#[derive(clap::Args)]
pub struct Arguments {
    /// Options of the suite.
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "OPTIONS"
    )]
    words: Vec<OsString>,
}

/// Replaces this process by the suite's program; returns only if that fails.
pub fn run(arguments: &Arguments) -> Error {
    let folder = match env::current_exe() {
        Ok(program) => program.parent().map_or_else(PathBuf::new, Path::to_owned),
        Err(error) => return error.into(),
    };
    let programs = PROGRAMS.map(|name| folder.join(name));
    let Some(program) = programs.iter().find(|program| program.is_file()) else {
        return anyhow!(
            "{} is missing: the Debian package and `cargo xtask install` have it, and \
             `cargo build --release --package conformance` builds it",
            programs[0].display()
        );
    };
    let mut suite = Command::new(program);
    suite.args(&arguments.words);
    if env::var_os(SHOWN_AS).is_none() {
        suite.env(SHOWN_AS, "mocl3 conformance");
    }
    Error::new(suite.exec()).context(format!("cannot run {}", program.display()))
}
