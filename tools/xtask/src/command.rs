//! Running other programs.

use anyhow::{Context, Error, Result, bail};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a program to its end.
///
/// # Errors
/// It cannot be started, or its exit status is not success.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}

/// Replaces this process by a program (`exec`); returns only the error if that fails.
pub fn become_it(command: &mut Command) -> Error {
    let error = command.exec();
    Error::new(error).context(format!("cannot start {command:?}"))
}

/// Runs a program to its end and keeps what it prints.
///
/// # Errors
/// It cannot be started.
pub fn output(command: &mut Command) -> Result<Output> {
    command
        .output()
        .with_context(|| format!("cannot start {command:?}"))
}

/// A path quoted as one word of a shell command.
pub fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::{output, quoted};
    use std::path::Path;
    use std::process::Command;

    #[test]
    fn a_shell_reads_paths_as_they_are() {
        for path in ["/a b/ä", "/it's/$HOME", "/\"\\`x`"] {
            let line = format!("printf %s {}", quoted(Path::new(path)));
            let said = output(Command::new("sh").args(["-c", &line])).unwrap();
            assert_eq!(String::from_utf8_lossy(&said.stdout), path);
        }
    }
}
