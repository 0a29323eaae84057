//! The launches that run, for the handler of Ctrl-C, which the system runs on another thread.

use crate::launch::Launch;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};

/// Most launches that are known at a time.
const ENTRIES: usize = 64;

/// Most bytes of a kernel's name that are kept.
const NAME: usize = 64;

/// Whether a handler reads the entries.
static ARE_READ: AtomicBool = AtomicBool::new(false);

static RUNNING: [Entry; ENTRIES] = [const { Entry::new() }; ENTRIES];

/// Has launches be entered from now on.
pub(super) fn read_from_now_on() {
    ARE_READ.store(true, Ordering::Relaxed);
}

/// A launch as its handler reads it, word by word: the launch may end meanwhile.
#[repr(align(128))]
struct Entry {
    /// 0 if the entry is free, `FILLING` while it is written.
    number: AtomicU64,
    name: [AtomicU64; NAME / 8],
    dimensions: AtomicU64,
    global_size: [AtomicU64; 3],
    local_size: [AtomicU64; 3],
}

const FILLING: u64 = u64::MAX;

/// A copy of an entry.
pub(super) struct RunningLaunch {
    pub number: u64,
    name: [u8; NAME],
    dimensions: usize,
    global_size: [u64; 3],
    local_size: [u64; 3],
}

impl RunningLaunch {
    /// The kernel's name, or the beginning of a long one.
    pub fn name(&self) -> &str {
        let end = self.name.iter().position(|byte| *byte == 0);
        str::from_utf8(&self.name[..end.unwrap_or(NAME)]).unwrap_or("?")
    }

    pub fn global_size(&self) -> &[u64] {
        &self.global_size[..self.dimensions]
    }

    pub fn local_size(&self) -> &[u64] {
        &self.local_size[..self.dimensions]
    }
}

impl Entry {
    const fn new() -> Self {
        Self {
            number: AtomicU64::new(0),
            name: [const { AtomicU64::new(0) }; NAME / 8],
            dimensions: AtomicU64::new(0),
            global_size: [const { AtomicU64::new(0) }; 3],
            local_size: [const { AtomicU64::new(0) }; 3],
        }
    }

    /// Whether it was free and now describes the launch.
    fn fill(&self, launch: &Launch<'_>) -> bool {
        let (acquire, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
        let number = &self.number;
        if number.load(relaxed) != 0
            || number
                .compare_exchange(0, FILLING, acquire, relaxed)
                .is_err()
        {
            return false;
        }
        fence(Ordering::Release);
        let mut chunks = launch.kernel.name().as_bytes().chunks(8);
        for word in &self.name {
            let mut bytes = [0; 8];
            let chunk = chunks.next().unwrap_or_default();
            bytes[..chunk.len()].copy_from_slice(chunk);
            word.store(u64::from_ne_bytes(bytes), relaxed);
            if chunk.len() < 8 {
                break;
            }
        }
        let nd_range = &launch.configuration.nd_range;
        self.dimensions.store(nd_range.work_dimensions, relaxed);
        for dimension in 0..3 {
            self.global_size[dimension].store(nd_range.global_size[dimension], relaxed);
            self.local_size[dimension].store(nd_range.local_size[dimension], relaxed);
        }
        self.number.store(launch.number, Ordering::Release);
        true
    }

    /// A copy, unless it is free or changes meanwhile.
    fn read(&self) -> Option<RunningLaunch> {
        let number = self.number.load(Ordering::Acquire);
        if number == 0 || number == FILLING {
            return None;
        }
        let load = |word: &AtomicU64| word.load(Ordering::Relaxed);
        let mut name = [0; NAME];
        for (bytes, word) in name.chunks_mut(8).zip(&self.name) {
            bytes.copy_from_slice(&load(word).to_ne_bytes());
        }
        let copy = RunningLaunch {
            number,
            name,
            dimensions: (load(&self.dimensions) as usize).clamp(1, 3),
            global_size: self.global_size.each_ref().map(load),
            local_size: self.local_size.each_ref().map(load),
        };
        fence(Ordering::Acquire);
        (self.number.load(Ordering::Relaxed) == number).then_some(copy)
    }
}

/// A launch is entered until this is dropped.
pub(crate) struct Entered(&'static Entry);

impl Drop for Entered {
    fn drop(&mut self) {
        self.0.number.store(0, Ordering::Release);
    }
}

/// Enters a launch; none if nothing reads the entries or they are all in use.
pub(crate) fn enter(launch: &Launch<'_>) -> Option<Entered> {
    if !ARE_READ.load(Ordering::Relaxed) {
        return None;
    }
    // Threads begin at different entries, since their stacks differ.
    let page = std::ptr::from_ref(launch).addr() as u64 >> 12;
    let first = (page.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize;
    (0..ENTRIES)
        .map(|step| &RUNNING[(first + step) % ENTRIES])
        .find(|entry| entry.fill(launch))
        .map(Entered)
}

/// The launches that run.
pub(super) fn running() -> impl Iterator<Item = RunningLaunch> {
    RUNNING.iter().filter_map(Entry::read)
}
