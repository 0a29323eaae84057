//! Where findings go: into the folder `MOCL3_FINDINGS`, or to the log, there the first of those that
//! are alike.

use environment::FINDINGS;
use findings::log::Writer;
use findings::{Finding, merged, text};
use parking_lot::Mutex;
use std::path::Path;

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

/// Reports the findings of a launch; returns a sentence for each that is new.
pub fn report(findings: Vec<Finding>) -> Vec<String> {
    if findings.is_empty() {
        return Vec::new();
    }
    let folder = FINDINGS.get();
    let mut sink = SINK.lock();
    let mut sentences = Vec::new();
    for finding in merged(findings) {
        if let Some(folder) = &folder {
            sink.write(Path::new(folder), &finding);
        }
        if sink.known.iter().any(|known| known.is_like(&finding)) {
            continue;
        }
        sentences.push(finding.sentence());
        if folder.is_none() {
            match finding.kind {
                kind if kind.is_of_kernels() => log::warn!("{}", text::paragraph(&finding)),
                _ => log::warn!("{}", finding.sentence()),
            }
        }
        sink.known.push(finding);
    }
    sentences
}

impl Sink {
    fn write(&mut self, folder: &Path, finding: &Finding) {
        let process = std::process::id();
        // After `fork` the child has a file of its own.
        if self.writer.as_ref().is_none_or(|(of, _)| *of != process) {
            match Writer::new(folder) {
                Ok(writer) => self.writer = Some((process, writer)),
                Err(error) => {
                    log::error!("{FINDINGS}={}: {error}", folder.display());
                    return;
                }
            }
        }
        if let Some((_, writer)) = &mut self.writer
            && let Err(error) = writer.add(finding)
        {
            log::error!("{FINDINGS}={}: {error}", folder.display());
        }
    }
}
