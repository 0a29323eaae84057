//! Captured launches (docs/environment.md), and what the program that runs them again reads.

use super::twins::Twins;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The version of `launch.json` that this reads.
const VERSION: u32 = 1;

/// Bytes that a word passes; larger values are passed in memory.
const WORD: usize = 8;

/// What addresses of memories are kept modulo, bytes.
const ALIGNMENT: u64 = 128;

/// A launch as `launch.json` has it.
#[derive(Deserialize)]
pub struct Launch {
    version: u32,
    pub kernel: String,
    program: String,
    options: Option<String>,
    work_dimensions: u64,
    global_offset: [u64; 3],
    global_size: [u64; 3],
    local_size: [u64; 3],
    arguments: Vec<Argument>,
    memories: Vec<Memory>,
    /// The file of what OpenCL's launch printed, if that is known.
    printed: Option<String>,
    pub not_captured: Option<String>,
}

#[derive(Deserialize, Hash)]
struct Argument {
    #[serde(flatten)]
    content: Content,
}

#[derive(Deserialize, Hash)]
#[serde(rename_all = "snake_case", tag = "kind")]
enum Content {
    Value { bytes: Vec<u8> },
    Local { bytes: u64 },
    Buffer { memory: usize, offset: u64 },
    Null,
    Image,
    Sampler,
}

#[derive(Deserialize)]
struct Memory {
    address: u64,
    bytes: u64,
    before: String,
    after: String,
}

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

/// A captured launch.
pub struct Captured {
    /// Its folder.
    pub place: PathBuf,
    /// The folder of the same launch by other code ([`Twins`]), if it was captured.
    pub other_code: Option<PathBuf>,
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
        let launch = read(&place)?;
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

/// Reads the launch in a folder.
///
/// # Errors
/// The file system's; the launch is of another version.
pub fn read(place: &Path) -> Result<Launch> {
    let path = place.join("launch.json");
    let text = fs::read_to_string(&path)?;
    let launch: Launch = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    ensure!(
        launch.version == VERSION,
        "{} has another version",
        path.display()
    );
    Ok(launch)
}

/// A hash of all that a launch in a folder does and reads.
///
/// # Errors
/// The file system's.
pub fn identity(place: &Path, launch: &Launch) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    fs::read(place.join("program.cl"))?.hash(&mut hasher);
    launch.kernel.hash(&mut hasher);
    launch.options.hash(&mut hasher);
    let sizes = [launch.global_offset, launch.global_size, launch.local_size];
    sizes.hash(&mut hasher);
    launch.arguments.hash(&mut hasher);
    for memory in &launch.memories {
        fs::read(place.join(&memory.before))?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// What the program that runs a launch again reads and writes.
pub struct Replay {
    /// The file that it reads.
    pub words: PathBuf,
    /// The file of what the kernel prints.
    pub found: PathBuf,
    /// What OpenCL's launch printed, if that is known.
    pub expected: Option<Vec<u8>>,
    /// What it printed by other code, if that is known.
    pub other_code: Option<Vec<u8>>,
    /// Whether the order of lines is that of OpenCL: there is one work-group.
    pub is_ordered: bool,
}

/// Writes what `replay.c` reads of a launch.
///
/// # Errors
/// The file system's.
pub fn prepare(captured: &Captured) -> Result<Replay> {
    let place = &captured.place;
    let twin = captured.other_code.as_ref().unwrap_or(place);
    let launch = read(place)?;
    let found = place.join("found");
    let mut text = format!("range {}", launch.work_dimensions);
    let groups = [0, 1, 2].map(|d| launch.global_size[d] / launch.local_size[d].max(1));
    let sizes = [
        launch.global_offset,
        launch.global_size,
        launch.local_size,
        groups,
    ];
    // Writing to a string does not fail.
    for size in sizes.as_flattened() {
        let _ = write!(text, " {size}");
    }
    for memory in &launch.memories {
        let (before, after) = (place.join(&memory.before), place.join(&memory.after));
        let _ = write!(
            text,
            "\nmemory {} {} {} {} {}",
            memory.bytes,
            memory.address % ALIGNMENT,
            before.display(),
            after.display(),
            twin.join(&memory.after).display()
        );
    }
    for (number, argument) in launch.arguments.iter().enumerate() {
        let _ = match &argument.content {
            Content::Value { bytes } if bytes.len() > WORD => {
                let file = place.join(format!("argument{number}"));
                fs::write(&file, bytes)?;
                write!(text, "\nblock {} {}", bytes.len(), file.display())
            }
            Content::Value { bytes } => {
                let mut word = [0; WORD];
                word[..bytes.len()].copy_from_slice(bytes);
                write!(text, "\nword {}", u64::from_le_bytes(word))
            }
            Content::Local { bytes } => write!(text, "\nword {bytes}"),
            Content::Buffer { memory, offset } => write!(text, "\nbuffer {memory} {offset}"),
            Content::Null | Content::Image | Content::Sampler => write!(text, "\nword 0"),
        };
    }
    let _ = write!(text, "\nprinted {}\nend\n", found.display());
    let words = place.join("words");
    fs::write(&words, text)?;
    let printed = |place: &Path, launch: Launch| {
        let printed = launch.printed.map(|name| fs::read(place.join(name)));
        printed.transpose()
    };
    Ok(Replay {
        words,
        found,
        expected: printed(place, launch)?,
        other_code: printed(twin, read(twin)?)?,
        is_ordered: groups.iter().product::<u64>() == 1,
    })
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

    #[test]
    fn launches_become_words() {
        let folder = tempfile::tempdir().unwrap();
        let launch = json!({
            "version": 1, "kernel": "k", "program": "program.bin", "work_dimensions": 2,
            "global_offset": [1, 0, 0], "global_size": [8, 6, 1], "local_size": [4, 2, 1],
            "arguments": [
                {"type": "float4*", "kind": "buffer", "memory": 0, "offset": 16},
                {"type": "short", "kind": "value", "bytes": [1, 2]},
                {"type": "s", "kind": "value", "bytes": [0, 0, 0, 0, 0, 0, 0, 0, 9]},
                {"type": "int*", "kind": "local", "bytes": 64},
                {"type": "int*", "kind": "null"},
            ],
            "memories": [{"address": 4104, "bytes": 32, "before": "b", "after": "a"}],
        });
        capture(folder.path(), "1-0", &launch);
        capture(folder.path(), "1-1", &launch);
        let mut image = launch.clone();
        image["not_captured"] = json!("images and samplers");
        capture(folder.path(), "1-2", &image);
        fs::create_dir(folder.path().join("1-3")).unwrap();
        let (kernels, left_out) = kernels(folder.path(), None).unwrap();
        assert_eq!(kernels.len(), 1);
        assert_eq!(kernels[0].launches.len(), 2);
        assert_eq!(left_out.values().sum::<usize>(), 2);

        let place = folder.path().join("1-0");
        let captured = Captured {
            place: place.clone(),
            other_code: None,
        };
        let replay = prepare(&captured).unwrap();
        assert!(replay.expected.is_none() && !replay.is_ordered);
        let text = fs::read_to_string(replay.words).unwrap();
        let here = place.display();
        assert_eq!(
            text,
            format!(
                "range 2 1 0 0 8 6 1 4 2 1 2 3 1\nmemory 32 8 {here}/b {here}/a {here}/a\nbuffer 0 16\n\
                 word 513\nblock 9 {here}/argument2\nword 64\nword 0\nprinted {here}/found\nend\n"
            )
        );
        assert_eq!(fs::read(place.join("argument2")).unwrap().len(), 9);
    }

    #[test]
    fn other_versions_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let launch = json!({
            "version": 2, "kernel": "k", "program": "program.bin", "work_dimensions": 1,
            "global_offset": [0, 0, 0], "global_size": [1, 1, 1], "local_size": [1, 1, 1],
            "arguments": [], "memories": [],
        });
        capture(folder.path(), "1-0", &launch);
        assert!(kernels(folder.path(), None).is_err());
    }
}
