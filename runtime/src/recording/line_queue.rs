//! The lines of a recording that are not in its file yet. Formatting and writing a line takes longer
//! than a short launch, so a thread does it. The host program's threads do it themselves where what they
//! have observed must not be lost, if that is seldom, and where the thread does not keep up.

use parking_lot::{Condvar, Mutex};
use recording::{Line, Writer};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Time after which the thread writes lines.
const INTERVAL: Duration = Duration::from_millis(10);

/// Observations in an interval that are in the file before the host program continues.
const FLUSHES: u32 = 16;

/// Lines that the thread writes before the interval's end.
const BATCH: usize = 2048;

/// Lines at which the host program waits until they are written.
const LIMIT: usize = 4 * BATCH;

/// Lines in the order in which they will be in the file.
pub(super) struct LineQueue {
    waiting: Mutex<Waiting>,
    /// Signalled when there is a first line, when there is a batch, and at the end.
    changed: Condvar,
    /// The lines that are written. Locked from the time at which they are taken until then, so that lines
    /// stay in order.
    writing: Mutex<Vec<Line>>,
    /// Set when the last line has been written or writing has failed.
    closed: AtomicBool,
}

struct Waiting {
    lines: Vec<Line>,
    /// Lines in the file, which the threads that append lines free: freed by another thread than the one
    /// that allocated them, they would be a point of contention of the C library's allocator.
    written: Vec<Line>,
    /// Observations in this interval.
    observations: u32,
}

impl LineQueue {
    /// A queue without lines.
    pub const fn new() -> Self {
        Self {
            waiting: Mutex::new(Waiting {
                lines: Vec::new(),
                written: Vec::new(),
                observations: 0,
            }),
            changed: Condvar::new(),
            writing: Mutex::new(Vec::new()),
            closed: AtomicBool::new(false),
        }
    }

    /// Appends a line, unless the queue is closed; whether the lines are too many for the thread.
    pub fn append(&self, line: Line) -> bool {
        if self.is_closed() {
            return false;
        }
        let mut waiting = self.waiting.lock();
        waiting.lines.push(line);
        let count = waiting.lines.len();
        let written = waiting.written.pop();
        drop(waiting);
        drop(written);
        if count == 1 || count == BATCH {
            self.changed.notify_one();
        }
        count >= LIMIT
    }

    /// Notes an observation; whether there are few in this interval, so that the host program should
    /// write the lines.
    pub fn observe(&self) -> bool {
        let mut waiting = self.waiting.lock();
        waiting.observations = waiting.observations.saturating_add(1);
        waiting.observations <= FLUSHES
    }

    /// Writes the lines to the file. If that fails, the queue is closed.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn flush(&self, writer: &Writer) -> io::Result<()> {
        let mut lines = self.writing.lock();
        if self.is_closed() {
            return Ok(());
        }
        std::mem::swap(&mut *lines, &mut self.waiting.lock().lines);
        let mut all = lines.iter();
        let written = all.try_for_each(|line| writer.write(line));
        let written = written.and_then(|()| writer.flush());
        if written.is_err() {
            self.close();
        }
        let mut waiting = self.waiting.lock();
        let room = BATCH.saturating_sub(waiting.written.len()).min(lines.len());
        waiting.written.extend(lines.drain(..room));
        drop(waiting);
        lines.clear();
        written
    }

    /// Drops the lines, and takes no more.
    pub fn close(&self) {
        let mut waiting = self.waiting.lock();
        self.closed.store(true, Ordering::Relaxed);
        waiting.lines = Vec::new();
        waiting.written = Vec::new();
        drop(waiting);
        self.changed.notify_one();
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Blocks until lines have waited for an interval, which ends then, or are a batch; false if the
    /// queue is closed.
    pub fn wait(&self) -> bool {
        let mut waiting = self.waiting.lock();
        let is_idle = |waiting: &mut Waiting| waiting.lines.is_empty() && !self.is_closed();
        self.changed.wait_while(&mut waiting, is_idle);
        let is_less = |waiting: &mut Waiting| waiting.lines.len() < BATCH && !self.is_closed();
        let waited = self.changed.wait_while_for(&mut waiting, is_less, INTERVAL);
        if waited.timed_out() {
            waiting.observations = 0;
        }
        !self.is_closed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recording::End;
    use std::sync::Arc;

    fn end(time: u64) -> Line {
        Line::End(End { host_time: 0, time })
    }

    #[test]
    fn few_observations_of_an_interval_are_written_at_once() {
        let queue = LineQueue::new();
        for _ in 0..2 {
            for number in 0..FLUSHES {
                assert!(queue.observe(), "{number}");
            }
            assert!(!queue.observe());
            queue.append(end(1));
            queue.wait();
        }
    }

    #[test]
    fn lines_in_the_file_are_freed_by_the_next_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = Writer::create(folder.path(), recording::Header::default()).expect("a file");
        let kernel: Arc<str> = "kernel".into();
        let line = || {
            Line::Command(Box::new(recording::Command {
                kernel: Some(Arc::clone(&kernel)),
                ..recording::Command::default()
            }))
        };
        let queue = LineQueue::new();
        for _ in 0..BATCH + 5 {
            queue.append(line());
        }
        queue.flush(&writer).expect("written");
        // The recording has another copy of the first line, which short ones refer to.
        let kept = Arc::strong_count(&kernel) - 2;
        assert_eq!(kept, BATCH, "lines without room are freed at once");
        for freed in 1..4 {
            queue.append(end(1));
            assert_eq!(Arc::strong_count(&kernel) - 2, BATCH - freed);
        }
        queue.close();
        assert_eq!(Arc::strong_count(&kernel), 2);
    }
}
