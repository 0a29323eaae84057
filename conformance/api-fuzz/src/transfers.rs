//! Commands on buffers.

use super::buffers::{HOST_NO_ACCESS, HOST_READ_ONLY, HOST_WRITE_ONLY};
use super::call::{Returns, Run, Step, UNTOUCHED};
use super::commands::{Effect, Issue};
use super::contents;
use super::memory::LARGEST_BLOCK;
use super::model::{Details, Id, Kind, Mapping};
use cl_sys::*;

/// Flags of mappings.
const MAP_READ: u64 = 1;
pub const MAP_WRITE: u64 = 2;
pub const INVALIDATE: u64 = 4;

/// Which way bytes go between an object and the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From the object.
    Read,
    /// Into the object.
    Write,
}

impl Way {
    /// Flags of an object that the host may not use so.
    pub fn forbidden(self) -> u64 {
        match self {
            Self::Read => HOST_NO_ACCESS | HOST_WRITE_ONLY,
            Self::Write => HOST_NO_ACCESS | HOST_READ_ONLY,
        }
    }
}

impl Run {
    /// A buffer as an argument.
    pub fn buffer_argument(&mut self, name: &str, issue: &Issue) -> Option<Id> {
        let wanted = self.pick_in(Kind::Buffer, issue.context);
        let buffer = self.handle(name, &[Kind::Buffer], wanted, CL_INVALID_MEM_OBJECT);
        self.same_context(issue, buffer);
        buffer
    }

    fn buffer_size(&self, buffer: Option<Id>) -> usize {
        buffer.map_or(64, |buffer| self.model.buffer(buffer).size)
    }

    /// Bytes of a buffer: offset and size.
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

    /// A range must lie within a buffer.
    fn check_range(&mut self, buffer_size: usize, offset: usize, bytes: usize) {
        let inside = offset
            .checked_add(bytes)
            .is_some_and(|end| end <= buffer_size);
        self.fault_if(!inside, CL_INVALID_VALUE);
        if bytes == 0 {
            // OpenCL 1.2 says so, later versions allow it.
            self.may(CL_INVALID_VALUE);
        }
    }

    /// Memory of the host for a command: it stays as long as the command may run. None is
    /// an argument that is NULL.
    pub fn host_block(
        &mut self,
        name: &str,
        way: Way,
        bytes: usize,
        blocking: bool,
    ) -> Option<u64> {
        if self.wrong() {
            self.null(name);
            self.fault(CL_INVALID_VALUE);
            return None;
        }
        let bytes = bytes.clamp(1, LARGEST_BLOCK);
        let fill = match way {
            Way::Read => vec![UNTOUCHED; bytes],
            Way::Write => self.bytes(bytes),
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

    /// The host's access to an object must be allowed.
    pub fn check_host_access(&mut self, object: Option<Id>, way: Way) {
        let forbidden = object.is_some_and(|id| self.model.flags(id) & way.forbidden() != 0);
        self.fault_if(forbidden, CL_INVALID_OPERATION);
    }

    pub fn enqueue_read_or_write_buffer(&mut self) -> Step {
        let way = self.one_of(&[Way::Read, Way::Write]);
        let (name, blocking_name, command_type) = match way {
            Way::Read => ("clEnqueueReadBuffer", "blocking_read", 0x11F3),
            Way::Write => ("clEnqueueWriteBuffer", "blocking_write", 0x11F4),
        };
        self.begin(name);
        let mut issue = self.issue();
        let buffer = self.buffer_argument("buffer", &issue);
        self.check_host_access(buffer, way);
        self.blocking(blocking_name, &mut issue);
        let buffer_size = self.buffer_size(buffer);
        let (offset, bytes) = self.choose_range(buffer_size);
        self.check_range(buffer_size, offset, bytes);
        self.number("offset", offset);
        self.number("size", bytes);
        let block = self.host_block("ptr", way, bytes, issue.blocking);
        self.waits_and_event(&mut issue);
        let objects: Vec<Id> = buffer.into_iter().collect();
        let (_, effect) = self.enqueue(&issue, Returns::Status, command_type, &objects)?;
        let (Some(buffer), Some(block)) = (buffer, block) else {
            return Some(());
        };
        if effect == Effect::None {
            return Some(());
        }
        match way {
            Way::Write => {
                let written = self.bytes_at(block, bytes);
                let sure = effect == Effect::Sure;
                self.model
                    .write(buffer, offset, bytes, sure.then_some(&written[..]));
            }
            Way::Read if effect == Effect::Sure && issue.blocking => {
                let got = self.bytes_at(block, bytes);
                self.check_contents(buffer, offset, &got)?;
            }
            Way::Read => {}
        }
        Some(())
    }

    /// What was read must be what the model knows.
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
        let mut told = length;
        if self.wrong() {
            told = self.one_of(&[0, 3, 256, 127, usize::MAX, 1 << 40]);
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
        self.number("pattern_size", told);
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

    /// The range of memory that a part of a buffer takes.
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
            // Most ranges of one buffer overlap: the halves do not.
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

    pub fn enqueue_map_buffer(&mut self) -> Step {
        self.begin("clEnqueueMapBuffer");
        let mut issue = self.issue();
        let buffer = self.buffer_argument("buffer", &issue);
        self.blocking("blocking_map", &mut issue);
        let flags = self.map_flags(buffer);
        let buffer_size = self.buffer_size(buffer);
        let (offset, bytes) = self.choose_range(buffer_size);
        self.check_range(buffer_size, offset, bytes);
        self.number("offset", offset);
        self.number("size", bytes);
        self.waits_and_event(&mut issue);
        let (origin, region) = ([offset, 0, 0], [bytes, 1, 1]);
        self.check_mappings(buffer, flags, origin, region);
        let objects: Vec<Id> = buffer.into_iter().collect();
        let (done, effect) = self.enqueue(&issue, Returns::Object, 0x11FB, &objects)?;
        let Some(buffer) = buffer.filter(|_| done.succeeded) else {
            return Some(());
        };
        let host = self.model.buffer(buffer).host_pointer;
        if host != 0 && done.pointer != host + offset as u64 {
            return self.fail_call(&format!(
                "the pointer {:#x} is not {offset} bytes into the host's memory at {host:#x}",
                done.pointer
            ));
        }
        let mut written = None;
        if issue.blocking && effect == Effect::Sure {
            let got = self.bytes_at(done.pointer, bytes);
            if flags & INVALIDATE == 0 {
                self.check_contents(buffer, offset, &got)?;
            }
            if flags & (MAP_WRITE | INVALIDATE) != 0 {
                written = Some(self.write_through(done.pointer, bytes));
            }
        }
        if flags & (MAP_WRITE | INVALIDATE) != 0 {
            self.model.write(buffer, offset, bytes, None);
        }
        self.doubtful_mappings |= effect != Effect::Sure;
        self.model.mappings_mut(buffer).push(Mapping {
            pointer: done.pointer,
            writes: flags & (MAP_WRITE | INVALIDATE) != 0,
            origin,
            region,
            written,
        });
        Some(())
    }

    /// Writes into a mapped region.
    pub fn write_through(&mut self, pointer: u64, count: usize) -> Vec<u8> {
        let bytes = self.bytes(count);
        // SAFETY: the region is mapped for writing, which the call has waited for.
        unsafe { (pointer as usize as *mut u8).copy_from_nonoverlapping(bytes.as_ptr(), count) };
        bytes
    }

    /// Flags of a mapping, as an argument, that the object allows.
    pub fn map_flags(&mut self, object: Option<Id>) -> u64 {
        let mut flags = self.one_of(&[
            MAP_READ,
            MAP_READ,
            MAP_WRITE,
            MAP_READ | MAP_WRITE,
            INVALIDATE,
        ]);
        let forbids = |flags: u64, object: u64| {
            flags & MAP_READ != 0 && object & Way::Read.forbidden() != 0
                || flags & (MAP_WRITE | INVALIDATE) != 0 && object & Way::Write.forbidden() != 0
        };
        let of_object = object.map_or(0, |id| self.model.flags(id));
        if !self.wrong() {
            if of_object & HOST_WRITE_ONLY != 0 {
                flags = MAP_WRITE;
            } else if of_object & HOST_READ_ONLY != 0 {
                flags = MAP_READ;
            }
        }
        if self.wrong() {
            flags = self.garbage();
        }
        self.argument("map_flags", flags, &format!("{flags:#x}"));
        let unknown = flags & !(MAP_READ | MAP_WRITE | INVALIDATE) != 0;
        let exclusive = flags & INVALIDATE != 0 && flags & (MAP_READ | MAP_WRITE) != 0;
        self.fault_if(unknown || exclusive, CL_INVALID_VALUE);
        self.fault_if(forbids(flags, of_object), CL_INVALID_OPERATION);
        if flags == 0 {
            // Neither reading nor writing: nobody says whether that is a mapping.
            self.may(CL_INVALID_VALUE);
            self.may(CL_INVALID_OPERATION);
        }
        flags
    }

    /// Regions that are mapped for writing do not overlap.
    pub fn check_mappings(
        &mut self,
        object: Option<Id>,
        flags: u64,
        origin: [usize; 3],
        region: [usize; 3],
    ) {
        let Some(object) = object else { return };
        let meets = |mapping: &Mapping| {
            (0..3).all(|axis| {
                let (a, b) = (origin[axis], mapping.origin[axis]);
                a < b.saturating_add(mapping.region[axis]) && b < a.saturating_add(region[axis])
            })
        };
        let writes = flags & (MAP_WRITE | INVALIDATE) != 0;
        let mappings = self.model.mappings_mut(object);
        let clash = mappings
            .iter()
            .any(|mapping| mapping.writes && meets(mapping));
        let touch = mappings.iter().any(meets);
        if writes && clash {
            // A mapping whose command failed is gone by then.
            self.fault(CL_INVALID_OPERATION);
        } else if touch {
            self.may(CL_INVALID_OPERATION);
        }
        if writes && self.shares_memory(object) {
            // What is mapped of another object may be the same bytes.
            self.may(CL_INVALID_OPERATION);
        }
        if self.doubtful_mappings {
            self.leave_open();
        }
    }

    /// Whether other objects have the same memory.
    fn shares_memory(&self, object: Id) -> bool {
        let memory = self.model.memory_of(object).0;
        self.model.objects().any(|other| {
            other.id != object
                && matches!(other.kind, Kind::Buffer | Kind::Image)
                && self.model.memory_of(other.id).0 == memory
        })
    }

    pub fn enqueue_unmap(&mut self) -> Step {
        self.begin("clEnqueueUnmapMemObject");
        let mut issue = self.issue();
        let mapped = self.pick_where(|object| {
            let mappings = match &object.details {
                Details::Buffer(buffer) => &buffer.mappings,
                Details::Image(image) => &image.mappings,
                _ => return false,
            };
            object.is_alive() && !mappings.is_empty() && Some(object.context) == issue.context
        });
        let wanted = match mapped {
            Some(_) if !self.wrong() => mapped,
            _ => self.pick_mem_object(issue.context),
        };
        let kinds = [Kind::Buffer, Kind::Image];
        let object = self.handle("memobj", &kinds, wanted, CL_INVALID_MEM_OBJECT);
        self.same_context(&issue, object);
        let salt = self.random.bits();
        let mapping = object.and_then(|object| {
            let mappings = self.model.mappings_mut(object);
            let count = mappings.len() as u64;
            (count > 0).then(|| mappings[(salt % count) as usize].clone())
        });
        let mut pointer = mapping.as_ref().map_or(0, |mapping| mapping.pointer);
        if self.wrong() {
            pointer = pointer.wrapping_add(self.garbage());
        }
        self.argument("mapped_ptr", pointer, &format!("{:#x}", pointer & 0xFFF));
        let places: Vec<usize> = object.map_or(Vec::new(), |object| {
            let mappings = self.model.mappings_mut(object).iter().enumerate();
            let there = mappings.filter(|(_, mapping)| mapping.pointer == pointer);
            there.map(|(place, _)| place).collect()
        });
        self.fault_if(object.is_some() && places.is_empty(), CL_INVALID_VALUE);
        if self.doubtful_mappings {
            self.leave_open();
        }
        self.waits_and_event(&mut issue);
        let objects: Vec<Id> = object.into_iter().collect();
        let (_, effect) = self.enqueue(&issue, Returns::Status, 0x11FD, &objects)?;
        let (Some(object), [place, others @ ..]) = (object, &places[..]) else {
            return Some(());
        };
        if effect == Effect::None {
            // The command was refused, or fails: nobody knows whether it is still mapped.
            self.doubtful_mappings |= !self.is_faulty();
            return Some(());
        }
        // An unmapping that fails leaves the region mapped; and which of several mappings of
        // one address it is that ends, nobody says.
        self.doubtful_mappings |= effect != Effect::Sure || !others.is_empty();
        let mapping = self.model.mappings_mut(object).remove(*place);
        let written = mapping
            .written
            .filter(|_| effect == Effect::Sure && others.is_empty());
        self.unmapped(
            object,
            mapping.origin,
            mapping.region,
            written.filter(|_| mapping.writes),
        );
        Some(())
    }

    /// What was written into a mapped region is the object's, if it is known.
    fn unmapped(
        &mut self,
        object: Id,
        origin: [usize; 3],
        region: [usize; 3],
        written: Option<Vec<u8>>,
    ) {
        let Some(written) = written else { return };
        if self.model.object(object).kind == Kind::Buffer {
            self.model
                .write(object, origin[0], region[0], Some(&written));
        } else {
            self.write_pixels(object, origin, region, Some(&written));
        }
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
        let objects = self.handles(
            ("num_mem_objects", "mem_objects"),
            &kinds,
            &wanted,
            CL_INVALID_MEM_OBJECT,
        );
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

    /// Nothing is known any more of what an object holds.
    pub fn forget_object(&mut self, object: Id) {
        let (memory, _) = self.model.memory_of(object);
        if let Some(contents) = self.model.contents_mut(memory) {
            contents.forget();
        }
    }
}
