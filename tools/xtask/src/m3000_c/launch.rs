//! A captured launch (docs/environment.md), and what the program that runs it again reads.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
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
    pub program: String,
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

/// A captured launch.
pub struct Captured {
    /// Its folder.
    pub place: PathBuf,
    /// The folder of the same launch by other code (`twins.rs`), if it was captured.
    pub other_code: Option<PathBuf>,
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

/// What a launch leaves.
#[derive(Debug, Default)]
pub struct Left {
    /// The memories' contents.
    pub memories: Vec<Vec<u8>>,
    /// What it has printed, if that is known.
    pub printed: Option<Vec<u8>>,
}

/// What the program that runs a launch again reads and writes.
#[derive(Default)]
pub struct Replay {
    /// The file that it reads.
    pub words: PathBuf,
    /// The files into which it writes the memories.
    pub memories: Vec<PathBuf>,
    /// The file of what the kernel prints.
    pub printed: PathBuf,
    /// What OpenCL's launch left.
    pub expected: Left,
    /// What it left by other code.
    pub other_code: Left,
    /// Whether the order of lines is that of OpenCL: there is one work-group.
    pub is_ordered: bool,
}

impl Replay {
    /// What the last launch has left. One that has not begun has no text.
    ///
    /// # Errors
    /// A file of a memory cannot be read.
    pub fn left(&self) -> Result<Left> {
        let memories = self.memories.iter().map(fs::read);
        Ok(Left {
            memories: memories.collect::<Result<_, _>>()?,
            printed: Some(fs::read(&self.printed).unwrap_or_default()),
        })
    }
}

/// What a captured launch in a folder left.
fn left(place: &Path, launch: &Launch) -> Result<Left> {
    let memories = launch.memories.iter();
    let memories = memories.map(|memory| fs::read(place.join(&memory.after)));
    let printed = launch.printed.as_ref();
    let printed = printed.map(|name| fs::read(place.join(name)));
    Ok(Left {
        memories: memories.collect::<Result<_, _>>()?,
        printed: printed.transpose()?,
    })
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
    let mut memories = Vec::new();
    for (number, memory) in launch.memories.iter().enumerate() {
        let before = place.join(&memory.before);
        let found = place.join(format!("memory{number}.found"));
        let _ = write!(
            text,
            "\nmemory {} {} {} {}",
            memory.bytes,
            memory.address % ALIGNMENT,
            before.display(),
            found.display()
        );
        memories.push(found);
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
    Ok(Replay {
        words,
        memories,
        printed: found,
        expected: left(place, &launch)?,
        other_code: left(twin, &read(twin)?)?,
        is_ordered: groups.iter().product::<u64>() == 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
        let place = folder.path().to_owned();
        fs::write(place.join("launch.json"), launch.to_string()).unwrap();
        fs::write(place.join("a"), "after").unwrap();
        let captured = Captured {
            place: place.clone(),
            other_code: None,
        };
        let replay = prepare(&captured).unwrap();
        assert!(replay.expected.printed.is_none() && !replay.is_ordered);
        assert_eq!(replay.expected.memories, [b"after"]);
        let text = fs::read_to_string(&replay.words).unwrap();
        let here = place.display();
        assert_eq!(
            text,
            format!(
                "range 2 1 0 0 8 6 1 4 2 1 2 3 1\nmemory 32 8 {here}/b {here}/memory0.found\nbuffer 0 16\n\
                 word 513\nblock 9 {here}/argument2\nword 64\nword 0\nprinted {here}/found\nend\n"
            )
        );
        assert_eq!(fs::read(place.join("argument2")).unwrap().len(), 9);
        assert!(replay.left().is_err(), "it has not run");
        fs::write(place.join("memory0.found"), "found").unwrap();
        let left = replay.left().unwrap();
        assert_eq!(
            (&left.memories[0][..], left.printed),
            (&b"found"[..], Some(Vec::new()))
        );
    }
}
