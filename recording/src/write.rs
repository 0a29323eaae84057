//! Writing a process's file.

use crate::{FORMAT, Header, Line};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Writes the file of this process. All threads may use it.
///
/// Calls are kept until anything else is written, so that a process that is killed loses no more
/// than these. A child of `fork` writes nothing.
#[derive(Debug)]
pub struct Writer {
    pid: u32,
    path: PathBuf,
    file: Mutex<BufWriter<File>>,
}

impl Writer {
    /// Makes the folder if there is none, and in it the file, which begins with `header`;
    /// its `format` and `pid` are filled in.
    ///
    /// # Errors
    /// Folder or file cannot be made or written.
    pub fn create(folder: &Path, header: Header) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let pid = process::id();
        let (path, file) = new_file(folder, pid)?;
        let writer = Self {
            pid,
            path,
            file: Mutex::new(BufWriter::with_capacity(1 << 16, file)),
        };
        writer.write(&Line::Header(Header {
            format: FORMAT,
            pid,
            ..header
        }))?;
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
        if process::id() != self.pid {
            return Ok(());
        }
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        let mut file = self.lock();
        file.write_all(&text)?;
        match line {
            Line::Call(_) => Ok(()),
            _ => file.flush(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BufWriter<File>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A process that goes on as another program (`exec`) keeps its number.
fn new_file(folder: &Path, pid: u32) -> io::Result<(PathBuf, File)> {
    let names =
        std::iter::once(format!("{pid}.jsonl")).chain((2..).map(|n| format!("{pid}-{n}.jsonl")));
    for name in names {
        let path = folder.join(name);
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            outcome => return outcome.map(|file| (path, file)),
        }
    }
    unreachable!("the names do not end")
}
