//! Commands on buffers.

mod maps;

use crate::call::{Returns, Run, Step, UNTOUCHED};
use crate::commands::submission::{Effect, Issue};
use crate::contents;
use crate::memory::LARGEST_BLOCK;
use crate::model::{Details, Id, Kind, Mapping};
use crate::objects::buffers::{HOST_NO_ACCESS, HOST_READ_ONLY, HOST_WRITE_ONLY};
use cl_sys::*;

/// Flags of mappings.
const MAP_READ: u64 = 1;
pub const MAP_WRITE: u64 = 2;
pub const INVALIDATE: u64 = 4;

/// Direction of a transfer, from the view of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the object.
    Read,
    /// Into the object.
    Write,
}

impl Direction {
    /// The flags of objects that forbid this direction.
    pub fn forbidden(self) -> u64 {
        match self {
            Self::Read => HOST_NO_ACCESS | HOST_WRITE_ONLY,
            Self::Write => HOST_NO_ACCESS | HOST_READ_ONLY,
        }
    }
}

impl Run {
    /// Adds a buffer as argument.
    pub fn buffer_argument(&mut self, name: &str, issue: &Issue) -> Option<Id> {
        let wanted = self.pick_in(Kind::Buffer, issue.context);
        let buffer = self.handle(name, &[Kind::Buffer], wanted);
        self.same_context(issue, buffer);
        buffer
    }

    fn buffer_size(&self, buffer: Option<Id>) -> usize {
        buffer.map_or(64, |buffer| self.model.buffer(buffer).size)
    }

    /// A range of a buffer: offset and size in bytes.
    fn choose_range(&mut self, buffer_size: usize) -> (usize, usize) {
        let mut offset = self.size(0, buffer_size - 1);
        let mut bytes = self.size(1, buffer_size - offset);
        if self.wrong() {
            match self.random.below(4) {
                0 => offset = self.garbage() as usize,
                1 => bytes = self.garbage() as usize,
                2 => bytes = buffer_size - offset + 1,
                _ => offset = buffer_size - bytes + 1,
            }
        }
        (offset, bytes)
    }

    /// Checks that a range is within a buffer.
    fn check_range(&mut self, buffer_size: usize, offset: usize, bytes: usize) {
        let inside = offset
            .checked_add(bytes)
            .is_some_and(|end| end <= buffer_size);
        self.fault_if(!inside, CL_INVALID_VALUE);
        if bytes == 0 {
            // OpenCL 1.2 requires the code; later versions permit empty ranges.
            self.may(CL_INVALID_VALUE);
        }
    }

    /// Host memory for a command, which is valid while the command may run. `None` is a null
    /// pointer.
    pub fn host_block(
        &mut self,
        name: &str,
        direction: Direction,
        bytes: usize,
        blocking: bool,
    ) -> Option<u64> {
        if self.wrong() {
            self.null(name);
            self.fault(CL_INVALID_VALUE);
            return None;
        }
        let bytes = bytes.clamp(1, LARGEST_BLOCK);
        let fill = match direction {
            Direction::Read => vec![UNTOUCHED; bytes],
            Direction::Write => self.bytes(bytes),
        };
        let address = if blocking {
            self.momentary(&fill)
        } else if let Some(block) = self.lasting.take(bytes, 1) {
            // SAFETY: a block of that many bytes.
            unsafe { block.copy_from_nonoverlapping(fill.as_ptr(), bytes) };
            block as u64
        } else {
            self.short_of_memory = true;
            0
        };
        self.argument(name, address, &format!("[{bytes} bytes]"));
        Some(address)
    }

    /// Checks that the host may access an object in this direction.
    pub fn check_host_access(&mut self, object: Option<Id>, direction: Direction) {
        let forbidden = object.is_some_and(|id| self.model.flags(id) & direction.forbidden() != 0);
        self.fault_if(forbidden, CL_INVALID_OPERATION);
    }

    pub fn enqueue_read_or_write_buffer(&mut self) -> Step {
        let direction = self.one_of(&[Direction::Read, Direction::Write]);
        let (name, blocking_name, command_type) = match direction {
            Direction::Read => ("clEnqueueReadBuffer", "blocking_read", 0x11F3),
            Direction::Write => ("clEnqueueWriteBuffer", "blocking_write", 0x11F4),
        };
        self.begin(name);
        let mut issue = self.issue();
        let buffer = self.buffer_argument("buffer", &issue);
        self.check_host_access(buffer, direction);
        self.blocking(blocking_name, &mut issue);
        let buffer_size = self.buffer_size(buffer);
        let (offset, bytes) = self.choose_range(buffer_size);
        self.check_range(buffer_size, offset, bytes);
        self.number("offset", offset);
        self.number("size", bytes);
        let block = self.host_block("ptr", direction, bytes, issue.blocking);
        self.waits_and_event(&mut issue);
        let objects: Vec<Id> = buffer.into_iter().collect();
        let (_, effect) = self.enqueue(&issue, Returns::Status, command_type, &objects)?;
        let (Some(buffer), Some(block)) = (buffer, block) else {
            return Some(());
        };
        if effect == Effect::None {
            return Some(());
        }
        match direction {
            Direction::Write => {
                let written = self.bytes_at(block, bytes);
                let sure = effect == Effect::Sure;
                self.model
                    .write(buffer, offset, bytes, sure.then_some(&written[..]));
            }
            Direction::Read if effect == Effect::Sure && issue.blocking => {
                let got = self.bytes_at(block, bytes);
                self.check_contents(buffer, offset, &got)?;
            }
            Direction::Read => {}
        }
        Some(())
    }

    /// Compares bytes that were read with the model.
    fn check_contents(&mut self, buffer: Id, offset: usize, got: &[u8]) -> Step {
        let expected = self.model.bytes(buffer, offset, got.len());
        if let Some(text) = expected.and_then(|expected| contents::difference(&expected, got)) {
            return self.fail_call(&text);
        }
        Some(())
    }

    pub fn enqueue_fill_buffer(&mut self) -> Step {
        self.begin("clEnqueueFillBuffer");
        let mut issue = self.issue();
        let buffer = self.buffer_argument("buffer", &issue);
        let buffer_size = self.buffer_size(buffer);
        let mut length = 1usize << self.random.below(8);
        while length > buffer_size {
            length /= 2;
        }
        let (mut offset, mut bytes) = self.choose_range(buffer_size);
        if !self.wrong() {
            offset -= offset % length;
            bytes = (bytes - bytes % length).max(length);
        }
        let mut stated = length;
        if self.wrong() {
            stated = self.one_of(&[0, 3, 256, 127, usize::MAX, 1 << 40]);
            self.fault(CL_INVALID_VALUE);
        }
        self.check_range(buffer_size, offset, bytes);
        let whole = offset.is_multiple_of(length) && bytes.is_multiple_of(length);
        self.fault_if(!whole, CL_INVALID_VALUE);
        let pattern = self.bytes(length);
        if self.wrong() {
            self.null("pattern");
            self.fault(CL_INVALID_VALUE);
        } else {
            self.input("pattern", &pattern, &format!("{pattern:02x?}"));
        }
        self.number("pattern_size", stated);
        self.number("offset", offset);
        self.number("size", bytes);
        self.waits_and_event(&mut issue);
        let objects: Vec<Id> = buffer.into_iter().collect();
        let (_, effect) = self.enqueue(&issue, Returns::Status, 0x1207, &objects)?;
        if let (Some(buffer), true) = (buffer, effect != Effect::None) {
            let filled: Vec<u8> = pattern.iter().copied().cycle().take(bytes).collect();
            let sure = effect == Effect::Sure;
            self.model
                .write(buffer, offset, bytes, sure.then_some(&filled[..]));
        }
        Some(())
    }

    /// The range of memory of a part of a buffer.
    fn place(&self, buffer: Id, offset: usize) -> (Id, usize) {
        let (memory, origin) = self.model.memory_of(buffer);
        (memory, origin.saturating_add(offset))
    }

    pub fn enqueue_copy_buffer(&mut self) -> Step {
        self.begin("clEnqueueCopyBuffer");
        let mut issue = self.issue();
        let source = self.buffer_argument("src_buffer", &issue);
        let destination = self.buffer_argument("dst_buffer", &issue);
        let (source_size, destination_size) =
            (self.buffer_size(source), self.buffer_size(destination));
        let (from, mut bytes) = self.choose_range(source_size);
        let (mut to, room) = self.choose_range(destination_size);
        if !self.wrong() {
            bytes = bytes.min(room);
        }
        if let (Some(a), Some(b)) = (source, destination)
            && self.place(a, 0).0 == self.place(b, 0).0
            && !self.wrong()
        {
            // Most ranges of one buffer overlap, but its halves do not.
            let half = destination_size.min(source_size) / 2;
            if a == b && half > 0 && from < half {
                bytes = bytes.min(half - from);
                to = half;
            }
        }
        self.check_range(source_size, from, bytes);
        self.check_range(destination_size, to, bytes);
        if let (Some(a), Some(b)) = (source, destination) {
            let ((memory_a, start_a), (memory_b, start_b)) =
                (self.place(a, from), self.place(b, to));
            let overlaps = memory_a == memory_b && start_a.abs_diff(start_b) < bytes;
            self.fault_if(overlaps, CL_MEM_COPY_OVERLAP);
        }
        self.number("src_offset", from);
        self.number("dst_offset", to);
        self.number("size", bytes);
        self.waits_and_event(&mut issue);
        let objects: Vec<Id> = source.into_iter().chain(destination).collect();
        let (_, effect) = self.enqueue(&issue, Returns::Status, 0x11F5, &objects)?;
        let (Some(source), Some(destination)) = (source, destination) else {
            return Some(());
        };
        match effect {
            Effect::Sure => {
                if let Some(copied) = self.model.bytes(source, from, bytes) {
                    self.model.put(destination, to, &copied);
                }
            }
            Effect::Unsure => self.model.write(destination, to, bytes, None),
            Effect::None => {}
        }
        Some(())
    }

    pub fn enqueue_migrate(&mut self) -> Step {
        self.begin("clEnqueueMigrateMemObjects");
        let mut issue = self.issue();
        let mut wanted = Vec::new();
        for _ in 0..self.size(1, 3) {
            wanted.extend(self.pick_mem_object(issue.context));
        }
        if self.wrong() {
            wanted.clear();
        }
        self.fault_if(wanted.is_empty(), CL_INVALID_VALUE);
        let kinds = [Kind::Buffer, Kind::Image];
        let objects = self.handles(("num_mem_objects", "mem_objects"), &kinds, &wanted);
        for &object in &objects {
            self.same_context(&issue, Some(object));
        }
        let flags = self.one_of(&[0u64, 1, 0, 1, 2, 3]);
        let flags = self.enumerator("flags", flags, |flags| flags < 4, CL_INVALID_VALUE);
        self.waits_and_event(&mut issue);
        let (_, effect) = self.enqueue(&issue, Returns::Status, 0x1206, &objects)?;
        // CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED
        if flags & 2 != 0 && effect != Effect::None {
            for object in objects {
                self.forget_object(object);
            }
        }
        Some(())
    }

    /// Makes the contents of an object unknown.
    pub fn forget_object(&mut self, object: Id) {
        let (memory, _) = self.model.memory_of(object);
        if let Some(contents) = self.model.contents_mut(memory) {
            contents.forget();
        }
    }
}
