//! The recording of what executes on the simulated machine: `MOCL3_RECORD` names the folder into
//! which each process writes a file (format: crate `recording`). While recording is on, the
//! commands of all queues are timed.

use crate::device::platform::Platform;
use crate::recording::flush_limit::{self, FlushLimit};
use crate::recording::header::header;
use ::recording::{End, Line, Writer};
use device_sim::units::Nanoseconds;
use environment::{RECORD, RECORD_TIMELINE};
use host_exec::{process_lifecycle, threads};
use once_cell::sync::Lazy;
use parking_lot::{Condvar, Mutex};
use std::io;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

/// The folder for the file. Forced by the first API call of the process.
static FOLDER: Lazy<Option<PathBuf>> = Lazy::new(|| {
    let folder = RECORD.get()?;
    Lazy::force(&ORIGIN);
    Some(folder.into())
});

/// The file. It is created when the devices are opened: until then a process may fork, and parent
/// and child need files of their own.
static WRITER: Lazy<Option<Writer>> = Lazy::new(|| {
    let folder = FOLDER.as_ref()?;
    let writer = Writer::create(folder, header());
    writer
        .inspect_err(|error| {
            log::warn!("{RECORD}={}: {error}; no recording", folder.display());
        })
        .ok()
});

static ORIGIN: Lazy<Instant> = Lazy::new(Instant::now);

/// Output of the recording.
struct Output {
    /// Lines from before the file was created.
    early: Vec<Line>,
    /// Set when the last line has been written or writing has failed.
    closed: bool,
    limit: FlushLimit,
    /// A thread will write what is buffered.
    is_deferred: bool,
}

static OUTPUT: Mutex<Output> = Mutex::new(Output {
    early: Vec::new(),
    closed: false,
    limit: FlushLimit::new(),
    is_deferred: false,
});

/// Signalled when writing is deferred.
static DEFERRED: Condvar = Condvar::new();

/// Whether this process is recorded.
pub fn is_on() -> bool {
    FOLDER.is_some() && Lazy::get(&WRITER).is_none_or(Option::is_some)
}

/// Whether launches are recorded with a timeline of each array (`MOCL3_RECORD_TIMELINE`).
pub(crate) fn wants_timeline() -> bool {
    static WANTED: Lazy<bool> = Lazy::new(|| {
        let value = RECORD_TIMELINE.get().unwrap_or_default();
        match value.to_string_lossy().trim() {
            "" | "0" => false,
            "1" => true,
            _ => {
                let value = value.display();
                log::warn!("{RECORD_TIMELINE}={value} is neither 0 nor 1; no timeline");
                false
            }
        }
    });
    is_on() && *WANTED
}

/// Host nanoseconds since the first call.
pub(crate) fn host_time() -> u64 {
    ORIGIN.elapsed().as_nanos() as u64
}

/// Appends a line to the recording.
pub(crate) fn write(line: Line) {
    let mut output = OUTPUT.lock();
    if output.closed {
        return;
    }
    if !Platform::is_open() {
        output.early.push(line);
        return;
    }
    let Some(writer) = &*WRITER else {
        output.closed = true;
        return;
    };
    let mut lines = std::mem::take(&mut output.early).into_iter().chain([line]);
    output.note(writer, lines.try_for_each(|line| writer.write(line)));
}

/// Writes to the file what the host program has observed, so that it is not lost if the program is
/// killed; if it observes very much, a few milliseconds later.
pub(crate) fn flush_observed() {
    let mut output = OUTPUT.lock();
    if output.is_deferred {
        return;
    }
    if output.limit.allows(host_time()) || !can_defer() {
        output.flush();
        return;
    }
    output.is_deferred = true;
    DEFERRED.notify_one();
}

/// Whether there is a thread for what is deferred.
fn can_defer() -> bool {
    static IS_STARTED: Lazy<bool> =
        Lazy::new(|| threads::start("mocl3-recording", None, flush_deferred).is_ok());
    *IS_STARTED
}

/// Writes what is deferred, for the rest of the process's life.
fn flush_deferred() {
    loop {
        let mut output = OUTPUT.lock();
        while !output.is_deferred {
            DEFERRED.wait(&mut output);
        }
        drop(output);
        thread::sleep(flush_limit::INTERVAL);
        let mut output = OUTPUT.lock();
        output.is_deferred = false;
        output.flush();
    }
}

impl Output {
    /// Writes what is buffered to the file.
    fn flush(&mut self) {
        if self.closed || !Platform::is_open() {
            return;
        }
        if let Some(writer) = &*WRITER {
            self.note(writer, writer.flush());
        }
    }

    /// Ends the recording if writing has failed.
    fn note(&mut self, writer: &Writer, written: io::Result<()>) {
        if let Err(error) = written {
            let path = writer.path().display();
            log::warn!("{path}: {error}; the recording ends here");
            self.closed = true;
        }
    }
}

/// Whether this process has created a recording's file and has to finish it.
pub(crate) fn has_file() -> bool {
    !process_lifecycle::forked() && Lazy::get(&WRITER).is_some_and(Option::is_some)
}

/// Writes the last line, with the simulated time at the end of the process.
pub(crate) fn finish(time: Nanoseconds) {
    write(Line::End(End {
        host_time: host_time(),
        time: time.0,
    }));
    let mut output = OUTPUT.lock();
    output.flush();
    output.closed = true;
}
