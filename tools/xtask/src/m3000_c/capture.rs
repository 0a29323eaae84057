//! The captured kernels (docs/environment.md).

use super::launch::{self, Captured};
use super::twins::Twins;
use anyhow::Result;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Parts of the sources of kernels whose results OpenCL leaves open, and why.
const OPEN: &[(&str, &str)] = &[
    (
        "sum += atomic_inc(counter);",
        "the order of atomic operations decides the results",
    ),
    (
        "ticket_of[here] = atomic_inc(",
        "the order of atomic operations decides the results",
    ),
];

/// The launches of a kernel of a program.
pub struct Kernel {
    pub name: String,
    /// The program's binary.
    pub program: PathBuf,
    pub launches: Vec<Captured>,
}

/// The captured kernels in a folder, with the same launches by other code from another one, and how many launches
/// are not compared, by reason.
///
/// # Errors
/// The file system's; a launch of another version.
pub fn kernels(
    folder: &Path,
    other_code: Option<&Path>,
) -> Result<(Vec<Kernel>, BTreeMap<String, usize>)> {
    let mut twins = match other_code {
        Some(folder) => Twins::of(folder)?,
        None => Twins::default(),
    };
    let mut kernels: BTreeMap<(String, Vec<u8>), Kernel> = BTreeMap::new();
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let place = entry?.path();
        // The launch has not ended, for example since its process was killed.
        if !place.join("launch.json").exists() {
            *left_out
                .entry("launches without an end".to_owned())
                .or_default() += 1;
            continue;
        }
        let launch = launch::read(&place)?;
        if let Some(reason) = launch.not_captured {
            *left_out.entry(reason).or_default() += 1;
            continue;
        }
        let source = fs::read_to_string(place.join("program.cl"))?;
        if let Some((_, why)) = OPEN.iter().find(|(part, _)| source.contains(part)) {
            *left_out.entry((*why).to_owned()).or_default() += 1;
            continue;
        }
        let other_code = twins.take(&place, &launch)?;
        let program = place.join(&launch.program);
        let key = (launch.kernel.clone(), fs::read(&program)?);
        let kernel = kernels.entry(key).or_insert_with(|| Kernel {
            name: launch.kernel,
            program,
            launches: Vec::new(),
        });
        kernel.launches.push(Captured { place, other_code });
    }
    Ok((kernels.into_values().collect(), left_out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn capture(folder: &Path, name: &str, rest: &serde_json::Value) {
        let place = folder.join(name);
        fs::create_dir(&place).unwrap();
        fs::write(place.join("launch.json"), rest.to_string()).unwrap();
        fs::write(place.join("program.bin"), "binary").unwrap();
        fs::write(place.join("program.cl"), "").unwrap();
    }

    fn launch(version: u32) -> serde_json::Value {
        json!({
            "version": version, "kernel": "k", "program": "program.bin", "work_dimensions": 1,
            "global_offset": [0, 0, 0], "global_size": [1, 1, 1], "local_size": [1, 1, 1],
            "arguments": [], "memories": [],
        })
    }

    #[test]
    fn launches_belong_to_kernels() {
        let folder = tempfile::tempdir().unwrap();
        let mut image = launch(1);
        image["not_captured"] = json!("images and samplers");
        capture(folder.path(), "1-0", &launch(1));
        capture(folder.path(), "1-1", &launch(1));
        capture(folder.path(), "1-2", &image);
        fs::create_dir(folder.path().join("1-3")).unwrap();
        let (kernels, left_out) = kernels(folder.path(), None).unwrap();
        assert_eq!(kernels.len(), 1);
        assert_eq!(kernels[0].launches.len(), 2);
        assert_eq!(left_out.values().sum::<usize>(), 2);
    }

    #[test]
    fn other_versions_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        capture(folder.path(), "1-0", &launch(2));
        assert!(kernels(folder.path(), None).is_err());
    }
}
