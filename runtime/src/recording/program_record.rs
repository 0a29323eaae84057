//! Programs in the recording.

use crate::recording::record_id::RecordId;
use crate::recording::recorder::write;
use ::recording::{Line, SourceFile};
use parking_lot::Mutex;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::atomic::AtomicU64;

/// The recorded state of a program.
#[derive(Default)]
pub(crate) struct ProgramRecord {
    id: RecordId,
    /// Names of the files recorded so far.
    files: Mutex<HashSet<String>>,
}

impl ProgramRecord {
    /// The program's number. Records the program on the first call, and further `files` of timed
    /// code on later ones. `source` is the program's source text, empty if it has none.
    pub fn number<'a>(&self, source: impl FnOnce() -> Cow<'a, str>, files: &[SourceFile]) -> u64 {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let (number, is_new) = self.id.number_or_new(&COUNT);
        let source = is_new.then(source).filter(|text| !text.is_empty());
        let source = source.map(|text| SourceFile {
            name: kernel_compiler::PROGRAM_NAME.into(),
            text: text.into_owned(),
        });
        let mut known = self.files.lock();
        let files: Vec<SourceFile> = source
            .iter()
            .chain(files)
            .filter(|file| known.insert(file.name.clone()))
            .cloned()
            .collect();
        drop(known);
        if is_new || !files.is_empty() {
            write(Line::Program(::recording::Program { number, files }));
        }
        number
    }
}
