//! Where the findings of a process go: into the folder `MOCL3_FINDINGS`, or to its user, there the first of
//! those that are alike.

use crate::log::Writer;
use crate::{Finding, merged};
use environment::FINDINGS;
use parking_lot::Mutex;
use std::path::Path;

/// How a process shows what no folder gets.
#[derive(Clone, Copy)]
pub struct Output {
    /// Shows a finding that is new.
    pub finding: fn(&Finding),
    /// Shows why findings cannot be written.
    pub error: fn(&str),
}

/// The findings of this process.
#[derive(Default)]
struct Sink {
    known: Vec<Finding>,
    /// The writer, and the process that it is for.
    writer: Option<(u32, Writer)>,
}

static SINK: Mutex<Sink> = Mutex::new(Sink {
    known: Vec::new(),
    writer: None,
});

/// Reports findings; returns a sentence for each that is new.
pub fn report(findings: Vec<Finding>, output: Output) -> Vec<String> {
    if findings.is_empty() {
        return Vec::new();
    }
    let folder = FINDINGS.get();
    let mut sink = SINK.lock();
    let mut sentences = Vec::new();
    for finding in merged(findings) {
        if let Some(folder) = &folder {
            sink.write(Path::new(folder), &finding, output);
        }
        if sink.known.iter().any(|known| known.is_like(&finding)) {
            continue;
        }
        sentences.push(finding.sentence());
        if folder.is_none() {
            (output.finding)(&finding);
        }
        sink.known.push(finding);
    }
    sentences
}

impl Sink {
    fn write(&mut self, folder: &Path, finding: &Finding, output: Output) {
        let process = std::process::id();
        let failed = |error| (output.error)(&format!("{FINDINGS}={}: {error}", folder.display()));
        // After `fork` the child has a file of its own.
        if self.writer.as_ref().is_none_or(|(of, _)| *of != process) {
            match Writer::new(folder) {
                Ok(writer) => self.writer = Some((process, writer)),
                Err(error) => return failed(error),
            }
        }
        if let Some((_, writer)) = &mut self.writer
            && let Err(error) = writer.add(finding)
        {
            failed(error);
        }
    }
}
