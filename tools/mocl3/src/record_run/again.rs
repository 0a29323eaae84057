//! Runs a program again, to measure it or to try settings.

use super::{Arguments, Recorded, read};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

impl Arguments {
    /// Runs the program three more times: twice without timing, since the first run may compile
    /// kernels, then with timing. Returns the durations of the last two runs in this order.
    ///
    /// # Errors
    /// There is no program, it cannot be run, or it fails.
    pub fn untimed_and_timed(&self) -> Result<(Duration, Duration)> {
        if self.program.is_empty() {
            bail!("a recording cannot be compared with: name the program");
        }
        self.wall_time(None)?;
        let untimed = self.wall_time(None)?;
        let folder = tempfile::tempdir().context("cannot create a folder for a recording")?;
        Ok((untimed, self.wall_time(Some(folder.path()))?))
    }

    /// Runs the program without input and output.
    fn wall_time(&self, recorded_in: Option<&Path>) -> Result<Duration> {
        let mut command = self.again()?;
        match recorded_in {
            Some(folder) => command.env("MOCL3_RECORD", folder),
            None => command.env("MOCL3_PROFILING_TIME", "host"),
        };
        let begin = Instant::now();
        let status = command.status().with_context(|| self.cannot_run())?;
        if !status.success() {
            bail!("the program failed when it was run again to compare: {status}");
        }
        Ok(begin.elapsed())
    }

    /// The program without input, output and recording.
    fn again(&self) -> Result<Command> {
        let mut command = Command::new(&self.program[0]);
        command
            .args(&self.program[1..])
            .envs(self.machine.variables()?)
            .env_remove("MOCL3_RECORD")
            .env_remove("MOCL3_RECORD_TIMELINE")
            .env_remove("MOCL3_RECORD_ALTERNATIVES")
            .env_remove("MOCL3_PROFILING_TIME")
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        Ok(command)
    }

    /// Runs the program again with these variables, without input and output, and predicts its launches; how
    /// it ends does not matter.
    ///
    /// # Errors
    /// There is no program, it cannot be run, or its recording cannot be read.
    pub fn predict_again(&self, variables: &[(&str, OsString)]) -> Result<Recorded> {
        if self.program.is_empty() {
            bail!("a recording cannot be run again: name the program");
        }
        let folder = tempfile::tempdir().context("cannot create a folder for a recording")?;
        let mut command = self.again()?;
        command
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .env("MOCL3_RECORD", folder.path())
            .env("MOCL3_PREDICT", "1")
            .stderr(Stdio::null());
        command.status().with_context(|| self.cannot_run())?;
        let (files, processes) = read(folder.path(), None)?;
        Ok(Recorded {
            processes,
            files,
            _temporary: Some(folder),
            wall_time: None,
            exit_code: 0,
        })
    }
}
