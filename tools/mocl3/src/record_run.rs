//! Runs a program with recording on, or reads an earlier recording.

mod again;

use crate::filter::Filter;
use crate::progress::Progress;
use anyhow::{Context, Result, bail};
use mocl3_shared::arguments::machine::MachineOptions;
use recording::{Kind, Line, Process, Selection};
use signal_hook::consts::{SIGINT, SIGQUIT, SIGTERM};
use signal_hook::flag;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The recording to show.
#[derive(clap::Args)]
// Commands have `Arguments` of their own around these.
#[group(skip)]
pub struct Arguments {
    /// Keep the recording in this folder; without a program, show the one that is there.
    #[arg(long, value_name = "FOLDER")]
    recording: Option<PathBuf>,
    #[command(flatten)]
    machine: MachineOptions,
    /// The program, any that uses OpenCL or hthreads, and its arguments.
    #[arg(
        trailing_var_arg = true,
        value_name = "PROGRAM",
        required_unless_present = "recording"
    )]
    program: Vec<OsString>,
}

/// Whether launches are predicted (`MOCL3_PREDICT`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prediction {
    /// As the environment has it.
    #[default]
    Inherited,
    /// In the place of their execution.
    Only,
    /// Besides their execution.
    Compared,
}

/// How the program is run.
#[derive(Clone, Copy, Default)]
pub struct RunOptions<'a> {
    /// Whether to record intervals of arrays' activities and single DMA transfers, not only sums.
    pub timeline: bool,
    /// Whether to record the times of launches under changes.
    pub alternatives: bool,
    /// Whether to predict launches.
    pub prediction: Prediction,
    /// Whether the report goes to standard output; then the program's output goes to standard
    /// error.
    pub output_is_taken: bool,
    /// The files for the results.
    pub files: &'a [&'a Path],
    /// The commands and calls that are read with the recording; none, and `Recorded::commands`
    /// passes commands on one after the other.
    pub filter: Option<&'a Filter>,
}

/// A recording, and the run that made it.
pub struct Recorded {
    /// The processes' recordings.
    pub processes: Vec<Process>,
    /// Their files.
    files: Vec<PathBuf>,
    /// The folder of the files, if it is removed with this.
    _temporary: Option<TempDir>,
    /// Duration of the program; `None` for an earlier recording.
    pub wall_time: Option<Duration>,
    /// The program's exit code.
    pub exit_code: u8,
}

/// The program ran, but recorded nothing.
#[derive(Debug)]
pub struct NothingRecorded {
    message: String,
    /// The program's exit code, or 1.
    pub exit_code: u8,
}

impl fmt::Display for NothingRecorded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for NothingRecorded {}

impl Arguments {
    /// A program with its arguments, on this machine.
    pub fn of_program(program: Vec<OsString>, machine: MachineOptions) -> Self {
        Self {
            recording: None,
            machine,
            program,
        }
    }

    /// The options that select the machine.
    pub fn machine(&self) -> &MachineOptions {
        &self.machine
    }

    /// Runs the program, if there is one, and reads its recording.
    ///
    /// # Errors
    /// The program cannot be run, its recording cannot be read, or nothing was recorded; the error
    /// then contains advice.
    pub fn record(&self, options: RunOptions<'_>) -> Result<Recorded> {
        let temporary = match &self.recording {
            Some(_) => None,
            None => Some(tempfile::tempdir().context("cannot create a folder for the recording")?),
        };
        let named = self.recording.as_deref();
        let temporary_folder = temporary.as_ref().map(TempDir::path);
        let folder = named.or(temporary_folder).context("there is no folder")?;
        if self.program.is_empty() {
            if !self.machine.is_empty() {
                bail!(
                    "a recording has the machine that its program ran on: name the program to run it on another"
                );
            }
            return Recorded::read(folder, options.filter);
        }
        let machine = self.machine.variables()?;
        if has_recording(folder) {
            bail!(
                "{} holds a recording: name another folder, or no program to show it",
                folder.display()
            );
        }
        // Errors must appear before a program that may run for long.
        tempfile::tempfile_in(created(folder)?)
            .with_context(|| format!("cannot write into {}", folder.display()))?;
        for file in options.files {
            check_writable(file)?;
        }
        let timeline = if options.timeline { "1" } else { "0" };
        let mut variables = machine;
        variables.push(("MOCL3_RECORD", folder.into()));
        variables.push(("MOCL3_RECORD_TIMELINE", timeline.into()));
        let alternatives = if options.alternatives { "1" } else { "0" };
        variables.push(("MOCL3_RECORD_ALTERNATIVES", alternatives.into()));
        match options.prediction {
            Prediction::Inherited => {}
            Prediction::Only => variables.push(("MOCL3_PREDICT", "1".into())),
            Prediction::Compared => variables.push(("MOCL3_PREDICT", "compare".into())),
        }
        let (status, wall_time) = self.run(&variables, options.output_is_taken)?;
        let exit_code = exit_code(status);
        let (files, processes) = read(folder, options.filter)?;
        if is_empty(&processes) {
            return Err(NothingRecorded {
                message: self.empty_recording(&processes, status),
                exit_code: exit_code.max(1),
            }
            .into());
        }
        // Shells report this only of their own children.
        if status.signal().is_some() {
            eprintln!("{} ended with {status}", self.name());
        }
        for process in processes.iter().filter(|process| process.end.is_none()) {
            eprintln!(
                "the recording of {} breaks off: it did not call `exit`, or the disk is full",
                process.title()
            );
        }
        Ok(Recorded {
            processes,
            files,
            _temporary: temporary,
            wall_time: Some(wall_time),
            exit_code,
        })
    }

    /// `record` with each array's activities over time, for a result in `file`.
    ///
    /// # Errors
    /// The errors of `record`.
    pub fn record_timeline(&self, file: &Path, filter: &Filter) -> Result<Recorded> {
        self.record(RunOptions {
            timeline: true,
            filter: Some(filter),
            files: &[file],
            ..RunOptions::default()
        })
    }

    fn run(
        &self,
        variables: &[(&str, OsString)],
        output_is_taken: bool,
    ) -> Result<(ExitStatus, Duration)> {
        // The program handles signals itself; the report shows its commands until then.
        for signal in [SIGINT, SIGQUIT, SIGTERM] {
            flag::register(signal, Arc::new(AtomicBool::new(false)))?;
        }
        let mut command = Command::new(&self.program[0]);
        command
            .args(&self.program[1..])
            .envs(variables.iter().map(|(name, value)| (name, value)))
            // Reports show simulated time.
            .env_remove("MOCL3_PROFILING_TIME");
        if output_is_taken {
            command.stdout(io::stderr().as_fd().try_clone_to_owned()?);
        }
        let begin = Instant::now();
        let status = command.status().with_context(|| self.cannot_run())?;
        Ok((status, begin.elapsed()))
    }

    fn cannot_run(&self) -> String {
        format!("cannot run {}", self.name())
    }

    fn name(&self) -> std::path::Display<'_> {
        Path::new(&self.program[0]).display()
    }

    /// The reason for an empty recording, and advice.
    fn empty_recording(&self, processes: &[Process], status: ExitStatus) -> String {
        let program = self.name();
        let ended = match status.success() {
            true => String::new(),
            false => format!(" (it ended with {status})"),
        };
        if !processes.is_empty() {
            return format!(
                "nothing was recorded: {program} looked at MOCL3's devices, but none of its commands ran on them{ended}\n\
                 - if there are several platforms, it has to choose MOCL3: `clinfo -l` lists them"
            );
        }
        let vendors = match std::env::var_os("OCL_ICD_VENDORS") {
            Some(folder) => format!("is {}", Path::new(&folder).display()),
            None => "is not set, so that the loader looks into /etc/OpenCL/vendors".into(),
        };
        format!(
            "nothing was recorded: {program} did not use MOCL3{ended}\n\
             - `mocl3 doctor`, from this shell, says whether OpenCL programs see its devices; OCL_ICD_VENDORS {vendors}\n\
             - if there are several platforms, the program has to choose MOCL3: `clinfo -l` lists them\n\
             - a program for hthreads has to be linked with MOCL3's libhthread_host, and to launch a kernel\n\
             - the library has to be of the same version as `mocl3`; older ones do not record"
        )
    }
}

/// The files of a recording and their processes, by the processes' numbers.
///
/// # Errors
/// A file cannot be read, or the filter selects nothing.
fn read(folder: &Path, filter: Option<&Filter>) -> Result<(Vec<PathBuf>, Vec<Process>)> {
    let kinds: &[Kind] = match filter {
        Some(_) => &Kind::ALL,
        None => &[Kind::Program, Kind::End],
    };
    let mut read = Vec::new();
    for path in recording::files(folder)? {
        let mut progress = Progress::new(READING, size(&path));
        let selection = Selection {
            kinds,
            keep: &mut |line, position| {
                progress.update(position);
                filter.is_none_or(|filter| filter.has(line))
            },
        };
        if let Some(mut process) = recording::read_selected(&path, selection)? {
            if let Some(filter) = filter {
                filter.complete(&mut process);
            }
            read.push((path, process));
        }
    }
    let is_left = |(_, process): &(PathBuf, Process)| !process.commands.is_empty();
    let had_commands = read.iter().any(|(_, process)| process.command_count > 0);
    if filter.is_some() && had_commands && !read.iter().any(is_left) {
        bail!(
            "no command is selected by --kernel, --from and --to; `mocl3 stat` lists the kernels"
        );
    }
    read.sort_by_key(|(_, process)| process.header.pid);
    Ok(read.into_iter().unzip())
}

/// What the line of progress says.
const READING: &str = "reading the recording";

/// The size of a file, which is only shown.
fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |data| data.len())
}

/// Whether no process ran a command.
fn is_empty(processes: &[Process]) -> bool {
    processes.iter().all(|process| process.command_count == 0)
}

/// Whether a folder holds a recording.
pub fn has_recording(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    entries
        .flatten()
        .any(|entry| entry.path().extension().is_some_and(|e| e == "jsonl"))
}

/// Creates the folder if it is missing; returns its path.
fn created(folder: &Path) -> Result<&Path> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// Checks that a file can be written, without changing it.
///
/// # Errors
/// It cannot.
pub fn check_writable(path: &Path) -> Result<()> {
    let is_new = !path.exists();
    if !is_new && !path.is_file() {
        // Opening and closing a pipe would end its reader's input.
        return Ok(());
    }
    let opened = File::options().append(true).create(true).open(path);
    opened.with_context(|| format!("cannot write {}", path.display()))?;
    if is_new {
        fs::remove_file(path)?;
    }
    Ok(())
}

/// The exit code as shells compute it.
pub fn exit_code(status: ExitStatus) -> u8 {
    let code = match (status.code(), status.signal()) {
        (Some(code), _) => code,
        (None, Some(signal)) => 128 + signal,
        (None, None) => 1,
    };
    u8::try_from(code).unwrap_or(1)
}

impl Recorded {
    /// An earlier recording.
    ///
    /// # Errors
    /// It cannot be read, or has no commands.
    pub fn open(folder: &Path) -> Result<Self> {
        Self::read(folder, None)
    }

    fn read(folder: &Path, filter: Option<&Filter>) -> Result<Self> {
        let (files, processes) = read(folder, filter)?;
        if is_empty(&processes) {
            bail!(
                "there are no commands in the recording {}",
                folder.display()
            );
        }
        Ok(Self {
            processes,
            files,
            _temporary: None,
            wall_time: None,
            exit_code: 0,
        })
    }

    /// Nanoseconds from start to end of the program.
    pub fn wall_time_ns(&self) -> Option<u64> {
        self.wall_time.map(nanoseconds)
    }

    /// Passes each command on, in the order in which they ended, with the place of its process in
    /// `processes`. They take no memory together.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn commands(&self, mut add: impl FnMut(usize, &recording::Command)) -> Result<()> {
        for (number, path) in self.files.iter().enumerate() {
            let mut progress = Progress::new(READING, size(path));
            let selection = Selection {
                kinds: &[Kind::Command],
                keep: &mut |line, position| {
                    progress.update(position);
                    if let Line::Command(command) = line {
                        add(number, command);
                    }
                    false
                },
            };
            recording::read_selected(path, selection)?;
        }
        Ok(())
    }

    /// The program's exit code.
    pub fn exit(&self) -> ExitCode {
        ExitCode::from(self.exit_code)
    }
}

/// The duration as an integer, ns.
pub fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Writes a file.
///
/// # Errors
/// It cannot be written.
pub fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<()> {
    let failed = || format!("cannot write {}", path.display());
    let file = File::create(path).with_context(failed)?;
    let mut file = BufWriter::new(file);
    write(&mut file)
        .and_then(|()| file.flush())
        .with_context(failed)
}
