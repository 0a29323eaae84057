//! Shared memory that detects data races: accesses of different work-items to one byte, one of
//! which writes, without a barrier between them.

use super::undefined::{Cause, Undefined};
use crate::ast::Space;

/// The kind of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic operation.
    Atomic,
}

/// The work-item that accessed a byte, and the number of barriers before the access.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    group: u32,
    barriers: u32,
    item: u32,
}

const NO_GROUP: u32 = u32::MAX;
const SEVERAL: u32 = u32::MAX - 1;

impl Stamp {
    const NONE: Self = Self {
        group: NO_GROUP,
        barriers: 0,
        item: 0,
    };

    /// Whether the access races with `other` of another work-item.
    fn races(self, other: Self) -> bool {
        self.group != NO_GROUP
            && (self.group != other.group
                || (self.barriers == other.barriers && self.item != other.item))
    }

    /// The combination of both accesses.
    fn join(self, other: Self) -> Self {
        if self.group == NO_GROUP {
            other
        } else if self.group != other.group {
            Self {
                group: SEVERAL,
                ..other
            }
        } else if self.barriers == other.barriers && self.item != other.item {
            Self {
                item: SEVERAL,
                ..other
            }
        } else {
            other
        }
    }
}

#[derive(Clone, Copy)]
struct Byte {
    /// `None` for bytes that were never written.
    value: Option<u8>,
    read: Stamp,
    written: Stamp,
    atomic: Stamp,
}

impl Byte {
    fn new(value: Option<u8>) -> Self {
        Self {
            value,
            read: Stamp::NONE,
            written: Stamp::NONE,
            atomic: Stamp::NONE,
        }
    }

    fn note(&mut self, access: Access, now: Stamp) -> bool {
        let races = match access {
            Access::Read => self.written.races(now) || self.atomic.races(now),
            Access::Write => {
                self.written.races(now) || self.read.races(now) || self.atomic.races(now)
            }
            Access::Atomic => self.written.races(now) || self.read.races(now),
        };
        let stamp = match access {
            Access::Read => &mut self.read,
            Access::Write => &mut self.written,
            Access::Atomic => &mut self.atomic,
        };
        *stamp = stamp.join(now);
        races
    }
}

/// Global memory, which includes constant memory, and local memory of the current work-group.
pub struct Memory {
    global: Vec<Byte>,
    local: Vec<Byte>,
    group: u32,
    /// Number of barriers of the work-group for local and for global memory.
    barriers: [u32; 2],
    fill: Option<u8>,
}

impl Memory {
    /// A memory with `local` bytes of local memory, where reading bytes that were never written gives
    /// `fill` or is an error.
    pub fn new(global: &[u8], local: usize, fill: Option<u8>) -> Self {
        Self {
            global: global.iter().map(|byte| Byte::new(Some(*byte))).collect(),
            local: vec![Byte::new(None); local],
            group: 0,
            barriers: [0, 0],
            fill,
        }
    }

    /// Begins another work-group with uninitialised local memory.
    pub fn next_group(&mut self) {
        self.group += 1;
        self.barriers = [0, 0];
        self.local.fill(Byte::new(None));
    }

    /// Executes a barrier with these fences.
    pub fn barrier(&mut self, local: bool, global: bool) {
        self.barriers[0] += u32::from(local);
        self.barriers[1] += u32::from(global);
    }

    /// The bytes of global memory.
    pub fn global(&self) -> Vec<u8> {
        self.global
            .iter()
            .map(|byte| byte.value.unwrap_or_default())
            .collect()
    }

    fn touch(
        &mut self,
        space: Space,
        start: usize,
        size: usize,
        item: usize,
        access: Access,
    ) -> Result<&mut [Byte], Undefined> {
        let local = space == Space::Local;
        let now = Stamp {
            group: self.group,
            barriers: self.barriers[usize::from(!local)],
            item: item as u32,
        };
        let memory = if local {
            &mut self.local
        } else {
            &mut self.global
        };
        let bytes = memory.get_mut(start..start + size).ok_or_else(|| {
            Undefined::with_cause(Cause::OutOfBounds, "an access outside of memory")
        })?;
        for byte in bytes.iter_mut() {
            if byte.note(access, now) {
                return Err(Undefined::with_cause(
                    Cause::Race,
                    format!("a race in {space:?} memory"),
                ));
            }
        }
        Ok(bytes)
    }

    /// Reads into `bytes`.
    pub fn read(
        &mut self,
        space: Space,
        start: usize,
        item: usize,
        access: Access,
        bytes: &mut [u8],
    ) -> Result<(), Undefined> {
        let fill = self.fill;
        let memory = self.touch(space, start, bytes.len(), item, access)?;
        for (to, from) in bytes.iter_mut().zip(memory) {
            *to = from.value.or(fill).ok_or_else(|| {
                Undefined::with_cause(
                    Cause::Uninitialised,
                    "local memory is read before it is written",
                )
            })?;
        }
        Ok(())
    }

    /// Writes `bytes`.
    pub fn write(
        &mut self,
        space: Space,
        start: usize,
        item: usize,
        access: Access,
        bytes: &[u8],
    ) -> Result<(), Undefined> {
        let memory = self.touch(space, start, bytes.len(), item, access)?;
        for (to, from) in memory.iter_mut().zip(bytes) {
            to.value = Some(*from);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(memory: &mut Memory, space: Space, item: usize) -> bool {
        memory.write(space, 1, item, Access::Write, &[7]).is_ok()
    }

    fn read(memory: &mut Memory, space: Space, item: usize) -> bool {
        memory.read(space, 1, item, Access::Read, &mut [0]).is_ok()
    }

    #[test]
    fn a_barrier_must_be_between_write_and_read_of_others() {
        let mut memory = Memory::new(&[0; 4], 4, None);
        assert!(write(&mut memory, Space::Local, 0));
        assert!(read(&mut memory, Space::Local, 0));
        assert!(!read(&mut memory, Space::Local, 1));
        memory.next_group();
        assert!(!read(&mut memory, Space::Local, 0), "nothing is there yet");
        assert!(write(&mut memory, Space::Local, 0));
        memory.barrier(false, true);
        assert!(!read(&mut memory, Space::Local, 1));
        memory.barrier(true, false);
        assert!(read(&mut memory, Space::Local, 2));
        assert!(!write(&mut memory, Space::Local, 3));
    }

    #[test]
    fn no_barrier_helps_between_groups() {
        let mut memory = Memory::new(&[0; 4], 0, None);
        assert!(read(&mut memory, Space::Global, 0));
        memory.next_group();
        assert!(read(&mut memory, Space::Global, 0));
        memory.barrier(true, true);
        assert!(!write(&mut memory, Space::Global, 0));
    }

    #[test]
    fn atomics_race_with_plain_accesses_only() {
        let mut memory = Memory::new(&[0; 4], 0, None);
        let atomic = |memory: &mut Memory, item| {
            memory
                .write(Space::Global, 1, item, Access::Atomic, &[1])
                .is_ok()
        };
        assert!(atomic(&mut memory, 0));
        assert!(atomic(&mut memory, 1));
        assert!(!read(&mut memory, Space::Global, 0));
    }
}
