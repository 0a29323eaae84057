//! The recording of what executes on the simulated machine: `MOCL3_RECORD` names the folder into
//! which each process writes a file (format: crate `recording`). While recording is on, the
//! commands of all queues are timed.

use crate::device::platform::Platform;
use crate::recording::header::header;
use crate::recording::line_queue::LineQueue;
use ::recording::{End, Line, Writer};
use device_sim::timing::launch_report::Details;
use device_sim::units::Nanoseconds;
use environment::{RECORD, RECORD_ALTERNATIVES, RECORD_TIMELINE};
use host_exec::{process_lifecycle, threads};
use once_cell::sync::Lazy;
use std::path::PathBuf;
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
    let writer = Writer::create(folder, header(details().alternatives));
    writer
        .inspect_err(|error| {
            log::warn!("{RECORD}={}: {error}; no recording", folder.display());
        })
        .ok()
});

static ORIGIN: Lazy<Instant> = Lazy::new(Instant::now);

static LINES: LineQueue = LineQueue::new();

/// Whether this process is recorded.
pub fn is_on() -> bool {
    FOLDER.is_some() && Lazy::get(&WRITER).is_none_or(Option::is_some)
}

/// What launches are recorded with (`MOCL3_RECORD_TIMELINE`, `MOCL3_RECORD_ALTERNATIVES`).
pub(crate) fn details() -> Details {
    static WANTED: Lazy<Details> = Lazy::new(|| Details {
        timeline: RECORD_TIMELINE.is_one(),
        alternatives: RECORD_ALTERNATIVES.is_one(),
    });
    match is_on() {
        true => *WANTED,
        false => Details::default(),
    }
}

/// Host nanoseconds since the first call.
pub(crate) fn host_time() -> u64 {
    ORIGIN.elapsed().as_nanos() as u64
}

/// Appends a line to the recording. A child of `fork` records nothing.
pub(crate) fn write(line: Line) {
    if process_lifecycle::forked() {
        return;
    }
    let is_limit = LINES.append(line);
    if Platform::is_open() && (!has_thread() || is_limit) {
        flush();
    }
}

/// Writes to the file what the host program has observed, so that it is not lost if the program is
/// killed; if it observes very much, a few milliseconds later.
pub(crate) fn flush_observed() {
    if Platform::is_open() && LINES.observe() {
        flush();
    }
}

/// Whether there is a thread that writes lines.
fn has_thread() -> bool {
    static IS_STARTED: Lazy<bool> =
        Lazy::new(|| threads::start("mocl3-recording", None, write_lines).is_ok());
    *IS_STARTED
}

/// Writes lines to the file for the rest of the process's life.
fn write_lines() {
    while LINES.wait() {
        flush();
    }
}

/// Writes the lines to the file. If that fails, the recording ends.
fn flush() {
    let Some(writer) = &*WRITER else {
        LINES.close();
        return;
    };
    if let Err(error) = LINES.flush(writer) {
        let path = writer.path().display();
        log::warn!("{path}: {error}; the recording ends here");
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
    flush();
    LINES.close();
}
