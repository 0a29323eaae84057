//! `mocl3 debug`: runs a program under gdb, which sees its kernels.

use anyhow::{Context, Result, bail};
use clap::builder::PossibleValuesParser;
use environment::{CHECK, DEBUG};
use mocl3_shared::arguments::machine::MachineOptions;
use signal_hook::consts::{SIGINT, SIGQUIT};
use signal_hook::flag;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// gdb's commands for kernels.
const SCRIPT: &str = include_str!("../gdb/mocl3.py");

/// The debugger, unless another one is named.
const GDB: &str = "gdb";

/// The first version of gdb with the Debug Adapter Protocol.
const FIRST_WITH_DAP: u32 = 14;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 debug -- ./program its arguments
  mocl3 debug --ex 'break add' --ex run -- ./program
  mocl3 debug --checks memory --ex run -- ./program";

/// Arguments of `mocl3 debug`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A command for gdb, after the program is loaded; may be repeated.
    #[arg(long = "ex", value_name = "COMMAND")]
    commands: Vec<OsString>,
    /// Check kernels and calls as `mocl3 check` does, and stop where a check finds something: a list
    /// of memory, uninitialised, races, barriers, dma and api, or all. Kernels then have source lines
    /// and no variables, except with dma and api alone.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(findings::CHECKS)
    )]
    checks: Vec<String>,
    /// Run gdb's commands and end, without questions.
    #[arg(long)]
    batch: bool,
    /// Talk to an editor by the Debug Adapter Protocol, on standard input and output (gdb 14 or
    /// later).
    #[arg(long, conflicts_with = "batch")]
    dap: bool,
    /// A further argument for gdb, such as `--gdb-arg=-tui`; may be repeated.
    #[arg(long = "gdb-arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    gdb_arguments: Vec<OsString>,
    /// The debugger.
    #[arg(long, value_name = "FILE", default_value = GDB)]
    gdb: PathBuf,
    #[command(flatten)]
    machine: MachineOptions,
    /// The program, any that uses OpenCL or hthreads, and its arguments.
    #[arg(
        trailing_var_arg = true,
        value_name = "PROGRAM",
        required_unless_present = "dap"
    )]
    program: Vec<OsString>,
}

/// Runs gdb, and exits as it does.
///
/// # Errors
/// gdb is missing or too old, or the folder for sources cannot be created.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let machine = arguments.machine.variables()?;
    let version = arguments.version()?;
    if arguments.dap && version < FIRST_WITH_DAP {
        bail!(
            "gdb {version} has no Debug Adapter Protocol: it takes gdb {FIRST_WITH_DAP} or later; \
             editors that speak gdb's machine interface need only `--gdb-arg=-i=mi`"
        );
    }
    let session = tempfile::tempdir().context("cannot create a folder for the kernels' sources")?;
    let script = session.path().join("mocl3.py");
    fs::write(&script, SCRIPT).with_context(|| format!("cannot write {}", script.display()))?;
    // gdb handles them; this process has to remove the folder after it.
    for signal in [SIGINT, SIGQUIT] {
        flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    let mut gdb = arguments.gdb(&script);
    if !arguments.checks.is_empty() {
        gdb.env(CHECK.name, arguments.checks.join(","));
    }
    let status = gdb
        .envs(machine)
        .env(
            DEBUG.name,
            DEBUG.get().unwrap_or_else(|| session.path().into()),
        )
        .status()
        .with_context(|| arguments.cannot_run())?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Whether gdb is installed.
pub fn has_gdb() -> bool {
    Command::new(GDB).arg("--version").output().is_ok()
}

impl Arguments {
    fn cannot_run(&self) -> String {
        format!("cannot run {}", self.gdb.display())
    }

    /// The major version of gdb.
    fn version(&self) -> Result<u32> {
        let output = match Command::new(&self.gdb).arg("--version").output() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
                "{} is not installed; on Debian: apt-get install gdb",
                self.gdb.display()
            ),
            output => output.with_context(|| self.cannot_run())?,
        };
        let text = String::from_utf8_lossy(&output.stdout);
        major_version(&text)
            .with_context(|| format!("{} does not say its version", self.gdb.display()))
    }

    fn gdb(&self, script: &std::path::Path) -> Command {
        let mut source = OsString::from("source ");
        source.push(script);
        let mut gdb = Command::new(&self.gdb);
        gdb.arg("-q").arg("-iex").arg(source);
        if !self.checks.is_empty() {
            gdb.args(["-iex", "mocl3 findings on"]);
        }
        if self.batch {
            gdb.arg("-batch");
        }
        if self.dap {
            gdb.args(["-i", "dap"]);
        }
        for command in &self.commands {
            gdb.arg("-ex").arg(command);
        }
        gdb.args(&self.gdb_arguments);
        if !self.program.is_empty() {
            gdb.arg("--args").args(&self.program);
        }
        gdb
    }
}

/// The major version in what `gdb --version` prints: the last word of the first line is the version.
fn major_version(text: &str) -> Option<u32> {
    let version = text.lines().next()?.split_whitespace().next_back()?;
    version.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major_version;

    #[test]
    fn the_version_is_the_last_word_of_the_first_line() {
        for (text, version) in [
            ("GNU gdb (Debian 13.1-3) 13.1\nCopyright 2023", Some(13)),
            ("GNU gdb (GDB) Fedora Linux 16.3-1.fc42", Some(16)),
            ("GNU gdb (GDB) 14.0.50.20230907-git\n", Some(14)),
            ("", None),
        ] {
            assert_eq!(major_version(text), version, "{text}");
        }
    }
}
