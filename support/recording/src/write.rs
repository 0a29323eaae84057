//! Writing a process's file.

use crate::recent::RecentReports;
use crate::{Command, FORMAT, Header, Line};
use device_sim::timing::launch_report::LaunchReport;
use environment::files::Folder;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

/// Writes the file of this process, for all its threads.
///
/// API calls are buffered until another line is written; a process that is killed loses only these.
/// A child of `fork` writes nothing.
#[derive(Debug)]
pub struct Writer {
    pid: u32,
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: BufWriter<File>,
    reports: RecentReports<Arc<LaunchReport>>,
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
                file: BufWriter::with_capacity(1 << 16, file),
                reports: RecentReports::default(),
            }),
        };
        let header = Line::Header(Header {
            format: FORMAT,
            pid,
            ..header
        });
        if let Err(error) = writer.write(header) {
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
    pub fn write(&self, mut line: Line) -> io::Result<()> {
        if process::id() != self.pid {
            return Ok(());
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Line::Command(command) = &mut line {
            state.refer(command);
        }
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        state.file.write_all(&text)?;
        match line {
            Line::Call(_) => Ok(()),
            _ => state.file.flush(),
        }
    }
}

impl State {
    /// Replaces a command's report by a reference to an earlier equal one.
    fn refer(&mut self, command: &mut Command) {
        let Some(report) = command.report.take() else {
            return;
        };
        match self.reports.find(|_, before| *before == report) {
            Some((number, _)) => command.same_report_as = Some(*number),
            None => {
                self.reports.add(command.number, Arc::clone(&report));
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
