//! A process that communicates by lines of text. Its lines can be awaited with a time limit. If it
//! dies, the end of its standard error shows the cause.

use anyhow::{Context, Result};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Number of bytes kept of the standard error.
const ERRORS: usize = 1 << 14;

/// A started process. Dropping this value kills it.
pub struct Child {
    process: std::process::Child,
    input: ChildStdin,
    lines: Receiver<String>,
    errors: Option<JoinHandle<Vec<u8>>>,
}

impl Drop for Child {
    fn drop(&mut self) {
        // The process may already have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Child {
    /// Starts a process.
    ///
    /// # Errors
    /// The process cannot be started.
    pub fn start(mut command: Command) -> Result<Self> {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {command:?}"))?;
        let input = process.stdin.take().context("its input is a pipe")?;
        let output = process.stdout.take().context("its output is a pipe")?;
        let mut error_output = process.stderr.take().context("its errors are a pipe")?;
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let errors = std::thread::spawn(move || {
            let mut kept = Vec::new();
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = error_output.read(&mut bytes) {
                kept.extend_from_slice(&bytes[..count]);
                let surplus = kept.len().saturating_sub(ERRORS);
                kept.drain(..surplus);
            }
            kept
        });
        Ok(Self {
            process,
            input,
            lines,
            errors: Some(errors),
        })
    }

    /// Writes to the process's standard input.
    ///
    /// # Errors
    /// The process has ended.
    pub fn write(&mut self, text: &str) -> std::io::Result<()> {
        self.input.write_all(text.as_bytes())
    }

    /// The next line of the process's standard output.
    ///
    /// # Errors
    /// There was no line within `limit`, or the process has closed its output.
    pub fn line(&self, limit: Duration) -> Result<String, RecvTimeoutError> {
        self.lines.recv_timeout(limit)
    }

    /// Waits until the process ends. Returns `None` if it had to be killed after `limit`.
    ///
    /// # Errors
    /// The system cannot wait for the process.
    pub fn end(&mut self, limit: Duration) -> Result<Option<ExitStatus>> {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait()? {
                return Ok(Some(status));
            }
            if begin.elapsed() > limit {
                self.process.kill()?;
                self.process.wait()?;
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The end of the process's standard error, after the process has ended.
    pub fn errors(mut self) -> String {
        let errors = self.errors.take().map(JoinHandle::join);
        let errors = errors.and_then(Result::ok).unwrap_or_default();
        String::from_utf8_lossy(&errors).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Child {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Child::start(command).unwrap()
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn lines_come_one_by_one_and_errors_at_the_end() {
        let mut child = shell("read -r word; echo $word; echo $word again; echo ouch >&2; exit 3");
        child.write("hello\n").unwrap();
        assert_eq!(child.line(LONG).unwrap(), "hello");
        assert_eq!(child.line(LONG).unwrap(), "hello again");
        assert_eq!(child.line(LONG), Err(RecvTimeoutError::Disconnected));
        assert_eq!(child.end(LONG).unwrap().unwrap().code(), Some(3));
        assert_eq!(child.errors(), "ouch\n");
    }

    #[test]
    fn a_process_that_hangs_is_ended() {
        let mut child = shell("exec sleep 1000");
        let short = Duration::from_millis(20);
        assert_eq!(child.line(short), Err(RecvTimeoutError::Timeout));
        assert_eq!(child.end(short).unwrap(), None);
    }
}
