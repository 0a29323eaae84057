//! The tools of m3cc that do without a compiler. For what needs one, this process becomes m3cc, which is next to it.

use anyhow::{Context, Error, Result};
use device_linker::tool::{self, Tool};
use device_linker::{archiver, linker, makedat};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    tool::main(|tool, arguments| match tool {
        _ if arguments == ["--version"] => become_m3cc(),
        Tool::Linker => linker::run(arguments, |_| become_m3cc()),
        Tool::Archiver => archiver::run(arguments),
        Tool::Makedat => makedat::run(arguments),
        _ => become_m3cc(),
    })
}

/// Starts again as m3cc, with the same name and arguments; returns if that fails.
fn become_m3cc<T>() -> Result<T> {
    let own = std::env::current_exe()?.canonicalize()?;
    let program = own.with_file_name("m3cc");
    let mut arguments = std::env::args_os();
    let mut command = Command::new(&program);
    command.arg0(arguments.next().unwrap_or_default());
    let error = command.args(arguments).exec();
    Err(Error::new(error)).with_context(|| program.display().to_string())
}
