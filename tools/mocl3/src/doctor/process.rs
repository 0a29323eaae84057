//! Separate processes for steps that may crash or never end.

use anyhow::{Context, Result};
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A command that starts `mocl3 doctor` again.
///
/// # Errors
/// This program's file cannot be found.
pub fn this_program() -> Result<Command> {
    // Without /proc only the name of the call is known.
    let program = std::env::current_exe().or_else(|error| {
        let name = std::env::args_os().next().ok_or(error)?;
        std::io::Result::Ok(PathBuf::from(name))
    })?;
    let mut command = Command::new(program);
    command.arg("doctor");
    Ok(command)
}

/// Runs a command to its end. Returns `None` if it exceeded the time limit and was stopped.
///
/// # Errors
/// It cannot be started.
pub fn output(command: &mut Command, time: Duration) -> Result<Option<Output>> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {command:?}"))?;
    let (ended, end) = mpsc::channel();
    let mut pipes: Vec<Box<dyn Read + Send>> = Vec::new();
    pipes.extend(child.stdout.take().map(|pipe| Box::new(pipe) as _));
    pipes.extend(child.stderr.take().map(|pipe| Box::new(pipe) as _));
    let readers: Vec<_> = pipes
        .into_iter()
        .map(|mut pipe| {
            let ended = ended.clone();
            thread::spawn(move || {
                let mut bytes = Vec::new();
                // Output before a read error is kept.
                let _ = pipe.read_to_end(&mut bytes);
                let _ = ended.send(());
                bytes
            })
        })
        .collect();
    // Both pipes are closed when the process has ended.
    let in_time = readers.iter().all(|_| end.recv_timeout(time).is_ok());
    if !in_time {
        child.kill()?;
        child.wait()?;
        return Ok(None);
    }
    let status = child.wait()?;
    let mut texts = readers
        .into_iter()
        .map(|reader| reader.join().unwrap_or_default());
    let (stdout, stderr) = (
        texts.next().unwrap_or_default(),
        texts.next().unwrap_or_default(),
    );
    Ok(Some(Output {
        status,
        stdout,
        stderr,
    }))
}

#[cfg(test)]
mod tests {
    use super::output;
    use std::process::Command;
    use std::time::Duration;

    #[test]
    fn what_never_ends_is_stopped() {
        let limit = Duration::from_millis(50);
        let mut forever = Command::new("sleep");
        assert!(output(forever.arg("1000"), limit).unwrap().is_none());
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo out; echo err >&2; exit 3"]);
        let ended = output(&mut shell, Duration::from_secs(60))
            .unwrap()
            .unwrap();
        assert_eq!(ended.status.code(), Some(3));
        assert_eq!(ended.stdout, b"out\n");
        assert_eq!(ended.stderr, b"err\n");
    }
}
