//! Captures of launches: `MOCL3_CAPTURE` names the folder into which each launch is written with what is
//! needed to run it elsewhere (format: docs/environment.md). Each has a folder of its own there, whose
//! `launch.json` is written last.

use super::captured_launch::{Argument, CapturedLaunch, Content, Memory, VERSION};
use crate::kernel::argument_block::ArgumentBlock;
use crate::kernel::code_versions::CodeVersion;
use crate::memory::memory_access::MemoryAccesses;
use environment::files::Folder;
use environment::{CAPTURE, CAPTURE_LAUNCHES, CAPTURE_SIZE};
use host_exec::launch::LaunchConfiguration;
use host_exec::printf_buffer::Recording;
use kernel_compiler::byte_size;
use kernel_compiler::executable::{ArgumentKind, KernelInterface};
use once_cell::sync::Lazy;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;

/// Captured launches of each kernel, unless the environment says otherwise.
const DEFAULT_LAUNCHES: u64 = 2;

/// Bytes that a process writes, unless the environment says otherwise.
const DEFAULT_SIZE: u64 = 256 << 20;

/// Permissions of folders and files, less those that the process's mask takes.
const MODES: (u32, u32) = (0o777, 0o666);

/// The file of what a launch has printed.
const PRINTED: &str = "printed";

/// What the environment says.
struct Settings {
    folder: PathBuf,
    /// Launches of each kernel.
    launches: u64,
    /// Bytes of all files but `launch.json`.
    bytes: u64,
}

static SETTINGS: Lazy<Option<Settings>> = Lazy::new(|| {
    let folder = CAPTURE.get()?.into();
    let launches = CAPTURE_LAUNCHES.get().map(|text| {
        let number = text.to_string_lossy().trim().parse();
        number.ok().filter(|number| *number > 0).unwrap_or_else(|| {
            log::warn!(
                "{CAPTURE_LAUNCHES}={text:?} is no number from 1 on; using {DEFAULT_LAUNCHES}"
            );
            DEFAULT_LAUNCHES
        })
    });
    let bytes = CAPTURE_SIZE.get().map(|text| {
        byte_size::bytes(&text.to_string_lossy()).unwrap_or_else(|| {
            log::warn!(
                "{CAPTURE_SIZE}={text:?} is no number of bytes, K, M or G; using {DEFAULT_SIZE} bytes"
            );
            DEFAULT_SIZE
        })
    });
    Some(Settings {
        folder,
        launches: launches.unwrap_or(DEFAULT_LAUNCHES),
        bytes: bytes.unwrap_or(DEFAULT_SIZE),
    })
});

/// What has been captured in this process.
#[derive(Default)]
struct Captured {
    /// By program and kernel.
    launches: HashMap<u64, u64>,
    /// Launches of all kernels.
    count: u64,
    bytes: u64,
}

static CAPTURED: Lazy<Mutex<Captured>> = Lazy::new(Mutex::default);

/// What a launch consists of.
#[derive(Clone, Copy)]
pub(crate) struct Launched<'a> {
    pub interface: &'a KernelInterface,
    pub code: &'a CodeVersion,
    pub block: &'a ArgumentBlock,
    pub configuration: &'a LaunchConfiguration,
    pub accesses: &'a MemoryAccesses,
    /// Offset in the block, and size in bytes, of each pointer to local memory.
    pub local_pointers: &'a [(usize, u64)],
}

/// A launch that is being captured.
pub(crate) struct Capture {
    folder: Folder,
    launch: CapturedLaunch,
    /// The addresses of each memory.
    memories: Vec<Range<usize>>,
}

/// Writes what a launch begins with. None if it is not captured, of which failures are logged.
pub(crate) fn begin(launch: Launched<'_>) -> Option<Capture> {
    let settings = SETTINGS.as_ref()?;
    logged(settings, Capture::begin(settings, launch)).flatten()
}

/// Records what a launch prints, captured or not: others that run at the same time print as well. None if
/// nothing is captured.
pub(crate) fn record() -> Option<Recording> {
    SETTINGS.as_ref().map(|_| Recording::begin())
}

/// The result of a step of a capture; a failure is logged.
fn logged<T>(settings: &Settings, result: io::Result<T>) -> Option<T> {
    let fail = |error: &io::Error| {
        log::error!("{CAPTURE}={}: {error}", settings.folder.display());
    };
    result.inspect_err(fail).ok()
}

impl Captured {
    /// The number of a launch, if its kernel has not had all of its launches.
    fn number(&mut self, kernel: u64, settings: &Settings) -> Option<u64> {
        let launches = self.launches.entry(kernel).or_default();
        if *launches == settings.launches {
            return None;
        }
        *launches += 1;
        self.count += 1;
        Some(self.count - 1)
    }

    /// Whether there is room for that many bytes, which then count.
    fn has_room(&mut self, bytes: u64, settings: &Settings) -> bool {
        let sum = self.bytes.saturating_add(bytes);
        let is_room = sum <= settings.bytes;
        if is_room {
            self.bytes = sum;
        }
        is_room
    }
}

impl Capture {
    fn begin(settings: &Settings, launch: Launched<'_>) -> io::Result<Option<Self>> {
        let program = launch.code.program();
        let binary = program.binary(launch.code.device());
        let mut hasher = DefaultHasher::new();
        (&binary, &launch.interface.name).hash(&mut hasher);
        let Some(number) = CAPTURED.lock().number(hasher.finish(), settings) else {
            return Ok(None);
        };
        let memories = memories(launch);
        let name = format!("{}-{number}", std::process::id());
        let folder = Folder::open(&settings.folder.join(name), MODES.0)?;
        let mut described = describe(launch, &memories);
        let size: usize = memories.iter().map(|memory| 2 * memory.len()).sum();
        let size = (size + binary.len()) as u64;
        if described.not_captured.is_none() && !CAPTURED.lock().has_room(size, settings) {
            described.not_captured = Some(format!("{CAPTURE_SIZE}: {size} bytes"));
        }
        let capture = Self {
            folder,
            launch: described,
            memories,
        };
        if capture.launch.not_captured.is_none() {
            capture.write(&capture.launch.program, &binary)?;
            capture.write("program.cl", program.source().as_bytes())?;
            for (memory, addresses) in capture.launch.memories.iter().zip(&capture.memories) {
                capture.write(&memory.before, &bytes_of(addresses))?;
            }
        }
        Ok(Some(capture))
    }

    /// Writes what the launch has ended with, and what it has printed, if that is known.
    pub fn finish(self, printed: Option<Vec<u8>>) {
        if let Some(settings) = SETTINGS.as_ref() {
            logged(settings, self.write_end(settings, printed));
        }
    }

    fn write_end(mut self, settings: &Settings, printed: Option<Vec<u8>>) -> io::Result<()> {
        if self.launch.not_captured.is_none() {
            for (memory, addresses) in self.launch.memories.iter().zip(&self.memories) {
                self.write(&memory.after, &bytes_of(addresses))?;
            }
            let has_room = |text: &Vec<u8>| CAPTURED.lock().has_room(text.len() as u64, settings);
            if let Some(text) = printed.filter(has_room) {
                self.write(PRINTED, &text)?;
                self.launch.printed = Some(PRINTED.to_owned());
            }
        }
        let text = serde_json::to_string_pretty(&self.launch)?;
        self.write("launch.json", (text + "\n").as_bytes())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.folder.create_new(name.as_ref(), MODES.1)?;
        file.write_all(bytes)
    }
}

/// The bytes in memory that a launch's accesses keep alive.
fn bytes_of(addresses: &Range<usize>) -> Vec<u8> {
    let mut bytes = vec![0u8; addresses.len()];
    let from: *const u8 = std::ptr::with_exposed_provenance(addresses.start);
    // SAFETY: the addresses are those of buffers that the launch keeps alive, whose addresses are
    // exposed when arguments are captured. No kernel runs in them unless the program has data races.
    unsafe { std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), bytes.len()) };
    bytes
}

/// The addresses of the buffers among the arguments. Those that share bytes are one memory.
fn memories(launch: Launched<'_>) -> Vec<Range<usize>> {
    let objects = launch.accesses.iter().map(|access| &access.object);
    let ranges = objects.map(|object| {
        let start = object.start().0.expose_provenance();
        start..start + object.size()
    });
    merged(ranges.collect())
}

/// Ranges in order, those that share elements as one.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

fn describe(launch: Launched<'_>, memories: &[Range<usize>]) -> CapturedLaunch {
    let nd_range = &launch.configuration.nd_range;
    let arguments = launch.interface.arguments.iter().map(|argument| Argument {
        name: argument.name.clone(),
        type_name: argument.type_name.clone(),
        content: content(
            launch,
            memories,
            argument.kind,
            argument.offset,
            argument.size,
        ),
    });
    let arguments: Vec<_> = arguments.collect();
    let has_images = arguments
        .iter()
        .any(|argument| matches!(argument.content, Content::Image | Content::Sampler));
    let program = launch.code.program();
    let memory = |(number, addresses): (usize, &Range<usize>)| Memory {
        address: addresses.start,
        bytes: addresses.len(),
        before: format!("memory{number}.before"),
        after: format!("memory{number}.after"),
    };
    CapturedLaunch {
        version: VERSION,
        kernel: launch.interface.name.clone(),
        program: "program.bin".to_owned(),
        options: program.build_options(launch.code.device()),
        work_dimensions: nd_range.work_dimensions,
        global_offset: nd_range.global_offset,
        global_size: nd_range.global_size,
        local_size: nd_range.local_size,
        zeroes_local_memory: launch.configuration.zeroes_local_memory,
        arguments,
        memories: memories
            .iter()
            .enumerate()
            .map(|(n, m)| memory((n, m)))
            .collect(),
        printed: None,
        not_captured: has_images.then(|| "images and samplers".to_owned()),
    }
}

/// What an argument is, by its place in the argument block.
fn content(
    launch: Launched<'_>,
    memories: &[Range<usize>],
    kind: ArgumentKind,
    offset: usize,
    size: usize,
) -> Content {
    match kind {
        ArgumentKind::Value => Content::Value {
            bytes: launch.block.bytes(offset, size).to_vec(),
        },
        ArgumentKind::LocalPointer => {
            let mut sizes = launch.local_pointers.iter();
            let size = sizes.find(|(place, _)| *place == offset);
            Content::Local {
                bytes: size.map_or(0, |(_, bytes)| *bytes),
            }
        }
        ArgumentKind::GlobalPointer | ArgumentKind::ConstantPointer => {
            let address = launch.block.pointer(offset);
            let position = memories.iter().position(|memory| memory.contains(&address));
            position.map_or(Content::Null, |memory| Content::Buffer {
                memory,
                offset: address - memories[memory].start,
            })
        }
        ArgumentKind::Image => Content::Image,
        ArgumentKind::Sampler => Content::Sampler,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_that_share_bytes_are_one() {
        assert_eq!(merged(vec![8..12, 0..8, 10..20, 11..12]), [0..8, 8..20]);
        assert_eq!(merged(Vec::new()), []);
    }

    #[test]
    fn a_kernel_has_as_many_launches_as_wanted_and_bytes_are_limited() {
        let settings = Settings {
            folder: PathBuf::new(),
            launches: 2,
            bytes: 10,
        };
        let mut captured = Captured::default();
        let numbers = [1, 1, 1, 2].map(|kernel| captured.number(kernel, &settings));
        assert_eq!(numbers, [Some(0), Some(1), None, Some(2)]);
        let room = [6, 5, 4, 1].map(|bytes| captured.has_room(bytes, &settings));
        assert_eq!(room, [true, false, true, false]);
    }
}
