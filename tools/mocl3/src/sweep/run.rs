//! Runs a program at a point.

use super::goal::Goal;
use super::parameter::{Kind, Point, parts};
use super::store::{Failure, Outcome};
use crate::profile::Sums;
use crate::record_run::{Recorded, exit_code, nanoseconds};
use anyhow::{Context, Result};
use clap::ValueEnum;
use environment::{BUILD_OPTIONS, LOCAL_SIZE, RECORD, RECORD_TIMELINE};
use mocl3_shared::arguments::machine::MachineOptions;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Bytes of the end of standard error in which the last line is looked for.
const TAIL: u64 = 4096;

/// How often a program with a time limit is looked at.
const INTERVAL: Duration = Duration::from_millis(5);

/// What all points have in common.
pub struct Runner<'a> {
    /// The program and its arguments, with places of parameters.
    pub program: &'a [String],
    /// The machine.
    pub machine: &'a MachineOptions,
    /// How long the program may run on the host.
    pub limit: Option<Duration>,
}

impl Runner<'_> {
    /// Runs the program; what it does wrong is the outcome.
    ///
    /// # Errors
    /// It cannot be started, or files cannot be made.
    pub fn run(&self, point: &Point) -> Result<Outcome> {
        let bad = |failure| Outcome {
            point: point.clone(),
            failure: Some(failure),
            goals: Default::default(),
        };
        let mut machine = self.machine.clone();
        for (kind, name, value) in parts(point) {
            if kind == Kind::Machine {
                machine.set(format!("{name}={value}"));
            }
        }
        let variables = match machine.variables() {
            Ok(variables) => variables,
            Err(error) => {
                let message = format!("{error:#}");
                return Ok(bad(Failure::Machine { message }));
            }
        };
        let folder = tempfile::tempdir().context("cannot create a folder for the recording")?;
        let errors = folder.path().join("stderr");
        let recording = folder.path().join("recording");
        let mut command = self.command(point, &variables, &recording);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&errors)?);
        let begin = Instant::now();
        let child = command
            .spawn()
            .with_context(|| format!("cannot run {}", self.program[0]))?;
        let Some(status) = self.wait(child, begin)? else {
            return Ok(bad(Failure::Timeout));
        };
        let wall_time = begin.elapsed();
        if !status.success() {
            return Ok(bad(Failure::Program {
                code: exit_code(status),
                message: last_line(&errors).unwrap_or_default(),
            }));
        }
        if !recording.exists() {
            return Ok(bad(Failure::NothingRecorded));
        }
        let Ok(recorded) = Recorded::open(&recording) else {
            return Ok(bad(Failure::NothingRecorded));
        };
        let mut sums = Sums::new(&recorded.processes);
        recorded.commands(|process, command| sums.add(process, command))?;
        let mut profile = sums.profile();
        profile.host.wall_time_ns = Some(nanoseconds(wall_time));
        let goals = Goal::value_variants().iter();
        Ok(Outcome {
            point: point.clone(),
            failure: None,
            goals: goals.map(|goal| (*goal, goal.value(&profile))).collect(),
        })
    }

    fn command(
        &self,
        point: &Point,
        variables: &[(&'static str, OsString)],
        recording: &Path,
    ) -> Command {
        let mut words = self.program.to_vec();
        let mut options = value(BUILD_OPTIONS);
        let mut local = value(LOCAL_SIZE);
        let mut command = Command::new(&self.program[0]);
        for (kind, name, value) in parts(point) {
            match kind {
                Kind::Machine => {}
                Kind::Option => options.push(format!("-D{name}={value}")),
                Kind::Local => local.push(format!("{name}={value}")),
                Kind::Env => {
                    command.env(name, value);
                }
                Kind::Arg => {
                    let place = format!("{{{name}}}");
                    for word in &mut words {
                        *word = word.replace(&place, value);
                    }
                }
            }
        }
        command
            .args(&words[1..])
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .env(RECORD.name, recording)
            .env(RECORD_TIMELINE.name, "0")
            .env_remove("MOCL3_PROFILING_TIME");
        if !options.is_empty() {
            command.env(BUILD_OPTIONS.name, options.join(" "));
        }
        if !local.is_empty() {
            command.env(LOCAL_SIZE.name, local.join(","));
        }
        // Its own group, so that its children end with it.
        command.process_group(0);
        command
    }

    /// Waits for the end; `None` if the program had to be ended.
    fn wait(&self, mut child: Child, begin: Instant) -> Result<Option<std::process::ExitStatus>> {
        let Some(limit) = self.limit else {
            return Ok(Some(child.wait()?));
        };
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if begin.elapsed() > limit {
                if let Ok(group) = i32::try_from(child.id()) {
                    // SAFETY: the call has no memory; the group is that of the child, which still exists.
                    unsafe { libc::kill(-group, libc::SIGKILL) };
                }
                child.wait()?;
                return Ok(None);
            }
            std::thread::sleep(INTERVAL);
        }
    }
}

/// The present value of a variable, as the beginning of a list.
fn value(variable: environment::Variable) -> Vec<String> {
    let value = variable.get();
    value
        .map(|value| value.to_string_lossy().into_owned())
        .into_iter()
        .collect()
}

/// The last line of a file that is not empty.
fn last_line(path: &Path) -> Option<String> {
    use std::io::{Seek, SeekFrom};
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))
        .ok()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(line.trim().to_owned())
}
