//! What many live objects cost: the duration of a launch with them, and their memory.

use super::launch::{empty_kernel, median_launch};
use super::{Case, Category, source};
use crate::opencl::{Buffer, Event, Kernel, Session};
use crate::timing::{Measurement, Mode};
use anyhow::{Context, Result};
use std::fs::read_to_string;

pub const CASES: &[Case] = &[
    Case {
        name: "launch-with-1k-buffers",
        what: "empty kernel, enqueue and finish, with 1,000 live buffers",
        category: Category::Launch,
        measure: |mode| launch_with(mode, Kind::Buffers, 1_000),
    },
    Case {
        name: "launch-with-1m-buffers",
        what: "the same with 1,000,000 live buffers",
        category: Category::Launch,
        measure: |mode| launch_with(mode, Kind::Buffers, 1_000_000),
    },
    Case {
        name: "launch-with-1k-kernels",
        what: "the same with 1,000 live kernels",
        category: Category::Launch,
        measure: |mode| launch_with(mode, Kind::Kernels, 1_000),
    },
    Case {
        name: "launch-with-1m-kernels",
        what: "the same with 1,000,000 live kernels",
        category: Category::Launch,
        measure: |mode| launch_with(mode, Kind::Kernels, 1_000_000),
    },
    Case {
        name: "launch-with-1k-events",
        what: "the same with 1,000 live events of launches",
        category: Category::Launch,
        measure: |mode| launch_with(mode, Kind::Events, 1_000),
    },
    Case {
        name: "launch-with-1m-events",
        what: "the same with 1,000,000 live events of launches",
        category: Category::Launch,
        measure: |mode| launch_with(mode, Kind::Events, 1_000_000),
    },
    Case {
        name: "memory-of-buffer",
        what: "resident memory for each of 100,000 unwritten buffers of 64 bytes",
        category: Category::Memory,
        measure: |mode| memory(mode, Kind::Buffers),
    },
    Case {
        name: "memory-of-kernel",
        what: "resident memory for each of 100,000 kernel objects of one program",
        category: Category::Memory,
        measure: |mode| memory(mode, Kind::Kernels),
    },
    Case {
        name: "memory-of-event",
        what: "resident memory for each of 100,000 events of launches that have ended",
        category: Category::Memory,
        measure: |mode| memory(mode, Kind::Events),
    },
];

#[derive(Clone, Copy)]
enum Kind {
    Buffers,
    Kernels,
    Events,
}

/// Objects that are released when dropped.
enum Objects {
    Buffers(Vec<Buffer<u32>>),
    Kernels(Vec<Kernel>),
    Events(Vec<Event>),
}

impl Objects {
    fn new(session: &Session, kernel: &Kernel, kind: Kind, count: usize) -> Result<Self> {
        let numbers = 0..count;
        Ok(match kind {
            Kind::Buffers => {
                let create = |_| session.unwritten(16);
                Self::Buffers(numbers.map(create).collect::<Result<_>>()?)
            }
            Kind::Kernels => {
                let program = session.program(source!("empty.cl"), "")?;
                let create = |_| program.kernel("empty");
                Self::Kernels(numbers.map(create).collect::<Result<_>>()?)
            }
            Kind::Events => {
                let enqueue = |_| session.enqueue_after(None, kernel, &[1], Some(&[1]));
                let events = numbers.map(enqueue).collect::<Result<_>>()?;
                session.finish()?;
                Self::Events(events)
            }
        })
    }

    /// Bytes of the vector.
    fn own_bytes(&self) -> usize {
        match self {
            Self::Buffers(buffers) => size_of_val(&buffers[..]),
            Self::Kernels(kernels) => size_of_val(&kernels[..]),
            Self::Events(events) => size_of_val(&events[..]),
        }
    }
}

fn launch_with(mode: Mode, kind: Kind, count: usize) -> Result<Measurement> {
    let session = Session::open()?;
    let (kernel, _buffer) = empty_kernel(&session)?;
    let _objects = Objects::new(&session, &kernel, kind, mode.size(count, 100))?;
    median_launch(mode, &session, &kernel)
}

fn memory(mode: Mode, kind: Kind) -> Result<Measurement> {
    let session = Session::open()?;
    let (kernel, _buffer) = empty_kernel(&session)?;
    // What the first object of its kind allocates for all.
    let _first = Objects::new(&session, &kernel, kind, 1)?;
    let count = mode.size(100_000, 100);
    let before = resident_bytes()?;
    let objects = Objects::new(&session, &kernel, kind, count)?;
    let grown = resident_bytes()?.saturating_sub(before + objects.own_bytes());
    Ok(Measurement::bytes(grown as f64 / count as f64))
}

/// Resident memory of this process.
fn resident_bytes() -> Result<usize> {
    let statistics = read_to_string("/proc/self/statm")?;
    let pages = statistics.split_whitespace().nth(1);
    // SAFETY: a query.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Ok(pages
        .context("/proc/self/statm is too short")?
        .parse::<usize>()?
        * page as usize)
}
