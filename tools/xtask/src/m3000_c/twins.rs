//! The same launches by other code for the host: without lanes, and with instructions of the first x86-64 only. Where
//! results differ, OpenCL leaves them open: conversions of numbers that the result's type does not have, signs of NaN, addresses.

use super::launch::{self, Launch};
use anyhow::Result;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of launches by their identity.
#[derive(Default)]
pub struct Twins {
    launches: HashMap<u64, Vec<PathBuf>>,
}

impl Twins {
    /// The launches in a folder that have ended and whose memories are there.
    ///
    /// # Errors
    /// The file system's; a launch of another version.
    pub fn of(folder: &Path) -> Result<Self> {
        let mut twins = Self::default();
        for entry in fs::read_dir(folder)? {
            let place = entry?.path();
            if !place.join("launch.json").exists() {
                continue;
            }
            let launch = launch::read(&place)?;
            if launch.not_captured.is_none() {
                let identity = launch::identity(&place, &launch)?;
                twins.launches.entry(identity).or_default().push(place);
            }
        }
        Ok(twins)
    }

    /// Takes the folder of a launch that is the same as the one in a folder; none if there is none.
    ///
    /// # Errors
    /// The file system's.
    pub fn take(&mut self, place: &Path, launch: &Launch) -> Result<Option<PathBuf>> {
        if self.launches.is_empty() {
            return Ok(None);
        }
        let identity = launch::identity(place, launch)?;
        Ok(self.launches.get_mut(&identity).and_then(Vec::pop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn capture(folder: &Path, name: &str, value: u8, before: &str) -> PathBuf {
        let place = folder.join(name);
        fs::create_dir_all(&place).unwrap();
        let launch = json!({
            "version": 1, "kernel": "k", "program": "program.bin", "work_dimensions": 1,
            "global_offset": [0, 0, 0], "global_size": [8, 1, 1], "local_size": [4, 1, 1],
            "arguments": [
                {"type": "int*", "kind": "buffer", "memory": 0, "offset": 0},
                {"type": "char", "kind": "value", "bytes": [value]},
            ],
            "memories": [{"address": 4104, "bytes": 2, "before": "b", "after": "a"}],
        });
        fs::write(place.join("launch.json"), launch.to_string()).unwrap();
        fs::write(place.join("program.cl"), "kernel").unwrap();
        fs::write(place.join("b"), before).unwrap();
        place
    }

    #[test]
    fn launches_are_the_same_if_all_that_they_read_is() {
        let folder = tempfile::tempdir().unwrap();
        let (with, without) = (folder.path().join("with"), folder.path().join("without"));
        let expected = capture(&without, "7-0", 1, "xy");
        let place = capture(&with, "9-5", 1, "xy");
        let launch = launch::read(&place).unwrap();
        let other_value = capture(&with, "9-6", 2, "xy");
        let other_memory = capture(&with, "9-7", 1, "xz");
        let mut twins = Twins::of(&without).unwrap();
        for other in [other_value, other_memory] {
            let launch = launch::read(&other).unwrap();
            assert_eq!(twins.take(&other, &launch).unwrap(), None);
        }
        assert_eq!(twins.take(&place, &launch).unwrap(), Some(expected));
        assert_eq!(twins.take(&place, &launch).unwrap(), None, "it is taken");
    }
}
