//! Where the events of a trace go. A trace is drawn twice: first to number its tracks and to
//! estimate its size, then to write it. Long programs have millions of events, which take no memory
//! together.

use super::events::{BEGIN, Event, end};
use crate::progress::Progress;
use serde_json::Value;
use std::io::{self, Write};

/// The first events are measured for the estimate, and of the others one in a number.
const ALL_MEASURED: u64 = 4096;
const SAMPLE: u64 = 64;

/// Where events go.
pub enum Sink<'a> {
    /// They are counted.
    Count(Count),
    /// They are written.
    Write(Writing<'a>),
}

/// The number of events, and how long some are.
#[derive(Debug, Default)]
pub struct Count {
    events: u64,
    bytes: u64,
}

/// A file that is being written.
pub struct Writing<'a> {
    to: &'a mut dyn Write,
    /// The numbers of process and track of each place.
    places: &'a [(u64, u64)],
    written: u64,
    progress: Progress,
    /// The first error; nothing is written after it.
    outcome: io::Result<()>,
}

impl Default for Sink<'_> {
    fn default() -> Self {
        Self::Count(Count::default())
    }
}

impl Sink<'_> {
    /// Adds an event, which is created only if it is needed.
    pub fn add(&mut self, event: impl FnOnce() -> Event) {
        match self {
            Self::Count(count) => count.add(event),
            Self::Write(writing) => writing.add(event()),
        }
    }
}

impl Count {
    fn add(&mut self, event: impl FnOnce() -> Event) {
        let weight = match self.events {
            0..ALL_MEASURED => 1,
            _ => SAMPLE,
        };
        if self.events.is_multiple_of(weight)
            && let Ok(text) = serde_json::to_vec(&event())
        {
            // A comma follows.
            self.bytes += (text.len() as u64 + 1) * weight;
        }
        self.events += 1;
    }

    /// The number of events.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// The estimated size of the events as text, bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl<'a> Writing<'a> {
    /// Begins a file with a number of events.
    pub fn begin(to: &'a mut dyn Write, places: &'a [(u64, u64)], events: u64) -> Self {
        let outcome = to.write_all(BEGIN.as_bytes());
        Self {
            to,
            places,
            written: 0,
            progress: Progress::new("writing the trace", events),
            outcome,
        }
    }

    /// Writes an event.
    pub fn add(&mut self, mut event: Event) {
        if self.outcome.is_ok() {
            event.number(self.places);
            self.outcome = self.write(&event);
        }
    }

    fn write(&mut self, event: &Event) -> io::Result<()> {
        if self.written > 0 {
            self.to.write_all(b",")?;
        }
        self.written += 1;
        self.progress.update(self.written);
        Ok(serde_json::to_writer(&mut *self.to, event)?)
    }

    /// Ends the file with what is known of the recording.
    ///
    /// # Errors
    /// It could not be written.
    pub fn end(self, metadata: &Value) -> io::Result<()> {
        self.outcome?;
        self.to.write_all(end(metadata)?.as_bytes())
    }
}
