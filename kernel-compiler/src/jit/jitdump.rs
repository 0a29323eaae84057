//! `MOCL3_JITDUMP`: a file with the code of the process's kernels and its source lines, from which
//! `perf inject --jit` makes what perf's reports show.

use super::jitdump_format::{Moment, close, function, header};

use environment::JITDUMP;
use once_cell::sync::Lazy;
use parking_lot::Mutex;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

pub use super::jitdump_format::DumpedFunction;

/// Bytes that are mapped of the file, for the profiler to see its name.
const MARKER: usize = 1;

/// The folder, canonical; none if there is to be no file, or it cannot be created.
static FOLDER: Lazy<Option<PathBuf>> = Lazy::new(|| {
    let folder = PathBuf::from(JITDUMP.get()?);
    fs::create_dir_all(&folder)
        .and_then(|()| folder.canonicalize())
        .inspect_err(|error| {
            log::warn!(
                "{JITDUMP}={}: {error}; profilers see no lines of kernels",
                folder.display()
            );
        })
        .ok()
});

/// The file; none if there is to be none, it cannot be written, or the process has ended it.
static DUMP: Lazy<Mutex<Option<Dump>>> = Lazy::new(|| {
    let opened = FOLDER.as_ref().and_then(|folder| {
        Dump::create(folder)
            .inspect_err(|error| log::warn!("{JITDUMP}: {}: {error}", folder.display()))
            .ok()
    });
    Mutex::new(opened)
});

/// The folder of the file and of sources, if there is to be one.
pub fn folder() -> Option<&'static Path> {
    FOLDER.as_deref()
}

/// Adds loaded functions.
pub fn add(functions: &[DumpedFunction<'_>]) {
    if folder().is_none() {
        return;
    }
    let mut dump = DUMP.lock();
    if let Some(open) = &mut *dump
        && let Err(error) = open.add(functions)
    {
        log::warn!("{JITDUMP}: {error}; profilers do not see later kernels");
        *dump = None;
    }
}

/// An open file.
struct Dump {
    file: File,
    /// The process whose code it has; children of `fork` have none.
    process: u32,
    /// Functions so far.
    functions: u64,
}

impl Dump {
    /// Others may write to the folder: an existing file is replaced if it is the user's own, and no
    /// link is followed.
    fn create(folder: &Path) -> io::Result<Self> {
        let process = std::process::id();
        let path = folder.join(format!("jit-{process}.dump"));
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = File::options()
            .read(true)
            .append(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        file.write_all(&header(Moment::now()))?;
        map(&file)?;
        // SAFETY: the handler is a function of this library, which is never unloaded.
        unsafe { libc::atexit(end) };
        Ok(Self {
            file,
            process,
            functions: 0,
        })
    }

    fn add(&mut self, functions: &[DumpedFunction<'_>]) -> io::Result<()> {
        if self.process != std::process::id() {
            return Ok(());
        }
        let mut records = Vec::new();
        for one in functions {
            records.extend(function(Moment::now(), self.functions, one));
            self.functions += 1;
        }
        self.file.write_all(&records)
    }
}

/// Has the profiler see the file's name: it records executable mappings. The mapping stays.
fn map(file: &File) -> io::Result<()> {
    // SAFETY: a new mapping, which nothing accesses.
    let marker = unsafe {
        libc::mmap(
            null_mut(),
            MARKER,
            libc::PROT_READ | libc::PROT_EXEC,
            libc::MAP_PRIVATE,
            file.as_raw_fd(),
            0,
        )
    };
    match marker {
        libc::MAP_FAILED => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

extern "C" fn end() {
    // A thread that loads a kernel may hold the lock.
    let Some(mut dump) = DUMP.try_lock() else {
        return;
    };
    if let Some(mut open) = dump.take()
        && open.process == std::process::id()
    {
        // The mark is optional.
        let _ = open.file.write_all(&close(Moment::now()));
    }
}
