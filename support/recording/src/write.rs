//! Writing a process's file.

use crate::recent::{self, Recent};
use crate::short::{CallHistory, CommandHistory};
use crate::{Command, FORMAT, Header, Line};
use device_sim::timing::launch_report::LaunchReport;
use environment::files::Folder;
use serde::Serialize;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of lines that are buffered at most.
const BUFFER: usize = 1 << 16;

/// Writes the file of this process, for all its threads.
///
/// Lines are buffered; a process that is killed loses those since the last [`Writer::flush`]. A child of
/// `fork` writes nothing.
#[derive(Debug)]
pub struct Writer {
    pid: u32,
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// Lines that are not in the file yet.
    text: Vec<u8>,
    /// With the numbers of their commands.
    reports: Recent<(u64, Arc<LaunchReport>)>,
    commands: CommandHistory,
    calls: CallHistory,
}

impl Writer {
    /// Creates the folder, if there is none, and in it the file with the header, whose `format` and
    /// `pid` are filled in.
    ///
    /// # Errors
    /// Folder or file cannot be made or written.
    pub fn create(folder: &Path, header: Header) -> io::Result<Self> {
        let files = Folder::open(folder, 0o777)?;
        let (name, file) = new_file(&files, process::id())?;
        Self::begin(&files, folder.join(name), file, header)
    }

    fn begin(folder: &Folder, path: PathBuf, file: File, header: Header) -> io::Result<Self> {
        let pid = process::id();
        let writer = Self {
            pid,
            path,
            state: Mutex::new(State {
                file,
                text: Vec::new(),
                reports: Recent::default(),
                commands: CommandHistory::default(),
                calls: CallHistory::default(),
            }),
        };
        let header = Line::Header(Box::new(Header {
            format: FORMAT,
            pid,
            ..header
        }));
        if let Err(error) = writer.write(&header).and_then(|()| writer.flush()) {
            // An empty file would remain, even on a full disk.
            let name = writer.path.file_name().unwrap_or_default();
            let _ = folder.remove(name);
            return Err(error);
        }
        Ok(writer)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a line.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, line: &Line) -> io::Result<()> {
        let mut state = self.state();
        state.append(line)?;
        if state.text.len() < BUFFER {
            return Ok(());
        }
        drop(state);
        self.flush()
    }

    /// Writes the buffered lines to the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn flush(&self) -> io::Result<()> {
        let State { file, text, .. } = &mut *self.state();
        if !text.is_empty() && process::id() == self.pid {
            file.write_all(text)?;
        }
        text.clear();
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

impl State {
    /// Appends a line to the text, as a short one if it repeats an earlier one.
    fn append(&mut self, line: &Line) -> io::Result<()> {
        match line {
            Line::Command(command) => {
                if let Some(short) = self.commands.shorten(command) {
                    return self.append_text(&short);
                }
                self.commands.add_written(Command::clone(command));
                let mut command = command.clone();
                self.refer(&mut command);
                return self.append_text(&Line::Command(command));
            }
            Line::Call(call) => {
                if let Some(short) = self.calls.shorten(call) {
                    return self.append_text(&short);
                }
                self.calls.add_written(call.clone());
            }
            Line::Header(_) | Line::Program(_) | Line::End(_) => {}
        }
        self.append_text(line)
    }

    fn append_text(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.text, line)?;
        self.text.push(b'\n');
        Ok(())
    }

    /// Replaces a command's report by a reference to an earlier equal one.
    fn refer(&mut self, command: &mut Command) {
        let Some(report) = command.report.take() else {
            return;
        };
        let fingerprint = recent::fingerprint(&report);
        match self.reports.get(fingerprint) {
            Some((number, before)) if *before == report => {
                command.same_report_as = Some(*number);
            }
            _ => {
                let value = (command.number, Arc::clone(&report));
                self.reports
                    .add(fingerprint, value, recent::weight(&report));
                command.report = Some(report);
            }
        }
    }
}

/// Creates a file with an unused name: after `exec` a process keeps its number.
fn new_file(folder: &Folder, pid: u32) -> io::Result<(String, File)> {
    let names =
        std::iter::once(format!("{pid}.jsonl")).chain((2..).map(|n| format!("{pid}-{n}.jsonl")));
    for name in names {
        match folder.create_new(name.as_ref(), 0o644) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            outcome => return outcome.map(|file| (name, file)),
        }
    }
    unreachable!("the names do not end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_is_not_left() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join(format!("{}.jsonl", process::id()));
        std::os::unix::fs::symlink("/dev/full", &name).unwrap();
        let file = File::options().write(true).open(&name).unwrap();
        let files = Folder::open(folder.path(), 0o700).unwrap();
        assert!(Writer::begin(&files, name.clone(), file, Header::default()).is_err());
        assert!(!name.is_symlink());
    }
}
