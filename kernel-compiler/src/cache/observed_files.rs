//! What a compilation learnt from the real file system: headers it read, and paths
//! where it found none. While all of that is as it was, the result is as it was, too.

use crate::fault;
use crate::shim::Observation;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What there was at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Found {
    Nothing,
    Directory,
    /// A file, whatever is in it.
    File,
    /// A file whose text has this hash.
    Text([u8; 32]),
}

/// The observations of one compilation, with relative paths as clang used them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservedFiles {
    files: BTreeMap<String, Found>,
    /// Something was observed that cannot be asked again.
    unrepeatable: bool,
}

impl ObservedFiles {
    /// Notes an observation.
    pub fn note(&mut self, observation: Observation<'_>) {
        let (path, found) = match observation {
            Observation::Nothing(path) => (path, Found::Nothing),
            Observation::Directory(path) => (path, Found::Directory),
            Observation::File(path) => (path, Found::File),
            Observation::Text(path, text) => (path, Found::Text(hash(text))),
            Observation::Unrepeatable => {
                self.unrepeatable = true;
                return;
            }
        };
        match self.files.get_mut(path) {
            None => {
                self.files.insert(path.to_owned(), found);
            }
            Some(known) if *known == found || found == Found::File => {}
            Some(known @ Found::File) => *known = found,
            // It changed while the program was compiled.
            Some(_) => self.unrepeatable = true,
        }
    }

    /// Whether `still_hold` can tell.
    pub fn are_repeatable(&self) -> bool {
        !self.unrepeatable
    }

    /// Whether a compilation now would observe the same.
    pub fn still_hold(&self) -> bool {
        let mut files = self.files.iter();
        self.are_repeatable()
            && (!fault::headers_are_compared()
                || files.all(|(path, found)| found.still_holds(path.as_ref())))
    }
}

impl Found {
    fn still_holds(self, path: &Path) -> bool {
        let metadata = fs::metadata(path).ok();
        match self {
            Self::Nothing => metadata.is_none(),
            Self::Directory => metadata.is_some_and(|now| now.is_dir()),
            Self::File => metadata.is_some_and(|now| now.is_file()),
            Self::Text(known) => {
                metadata.is_some_and(|now| now.is_file())
                    && fs::read(path).is_ok_and(|text| hash(&text) == known)
            }
        }
    }
}

fn hash(text: &[u8]) -> [u8; 32] {
    *blake3::hash(text).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observations_hold_until_something_changes() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name).display().to_string();
        fs::write(path("read.h"), "one").unwrap();
        fs::write(path("seen.h"), "one").unwrap();
        let mut files = ObservedFiles::default();
        files.note(Observation::File(&path("read.h")));
        files.note(Observation::Text(&path("read.h"), b"one"));
        files.note(Observation::File(&path("read.h")));
        files.note(Observation::File(&path("seen.h")));
        files.note(Observation::Directory(&path(".")));
        files.note(Observation::Nothing(&path("absent.h")));
        assert!(files.still_hold());

        fs::write(path("seen.h"), "two").unwrap();
        assert!(files.still_hold());
        fs::write(path("read.h"), "two").unwrap();
        assert!(!files.still_hold());
        fs::write(path("read.h"), "one").unwrap();
        assert!(files.still_hold());
        fs::write(path("absent.h"), "").unwrap();
        assert!(!files.still_hold());
        fs::remove_file(path("absent.h")).unwrap();
        fs::remove_file(path("seen.h")).unwrap();
        assert!(!files.still_hold());
        fs::create_dir(path("seen.h")).unwrap();
        assert!(!files.still_hold());
    }

    #[test]
    fn what_cannot_be_asked_again_never_holds() {
        let mut time = ObservedFiles::default();
        assert!(time.still_hold());
        time.note(Observation::Unrepeatable);
        assert!(!time.are_repeatable() && !time.still_hold());

        let mut changed = ObservedFiles::default();
        changed.note(Observation::Text("/no/such.h", b"one"));
        changed.note(Observation::Text("/no/such.h", b"two"));
        assert!(!changed.are_repeatable());
    }
}
