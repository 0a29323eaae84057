//! Buffers and sub-buffers, and functions that images use as well.

use crate::call::{Returns, Run, Step};
use crate::callbacks::{self, Counter};
use crate::contents::Contents;
use crate::memory::LARGEST_BLOCK;
use crate::model::{Buffer, Details, Id, Kind};
use crate::objects::queries::{Answer, size, uint};
use cl_sys::*;

/// Flags of memory objects.
pub const READ_WRITE: u64 = 1;
pub const WRITE_ONLY: u64 = 1 << 1;
pub const READ_ONLY: u64 = 1 << 2;
pub const USE_HOST_PTR: u64 = 1 << 3;
const ALLOC_HOST_PTR: u64 = 1 << 4;
pub const COPY_HOST_PTR: u64 = 1 << 5;
pub const HOST_WRITE_ONLY: u64 = 1 << 7;
pub const HOST_READ_ONLY: u64 = 1 << 8;
pub const HOST_NO_ACCESS: u64 = 1 << 9;
const DEVICE_ACCESS: u64 = READ_WRITE | WRITE_ONLY | READ_ONLY;
pub const HOST_ACCESS: u64 = HOST_WRITE_ONLY | HOST_READ_ONLY | HOST_NO_ACCESS;
const HOST_POINTER: u64 = USE_HOST_PTR | ALLOC_HOST_PTR | COPY_HOST_PTR;

/// More bytes than the memory of any device.
const TOO_LARGE: usize = 1 << 46;

/// `CL_DEVICE_MEM_BASE_ADDR_ALIGN` of the devices, in bytes: the alignment of origins of
/// sub-buffers.
const ALIGNMENT: usize = 128;

/// Whether the flags do not exclude each other.
pub fn flags_are_valid(flags: u64) -> bool {
    let several = |mask: u64| (flags & mask).count_ones() > 1;
    flags & !(DEVICE_ACCESS | HOST_ACCESS | HOST_POINTER) == 0
        && !several(DEVICE_ACCESS)
        && !several(HOST_ACCESS)
        && (flags & USE_HOST_PTR == 0 || flags & (ALLOC_HOST_PTR | COPY_HOST_PTR) == 0)
}

/// Whether flags of a part permit accesses that those of the whole do not.
pub fn widens(flags: u64, whole: u64) -> bool {
    let has = |flag: u64| flags & flag != 0;
    whole & WRITE_ONLY != 0 && has(READ_WRITE | READ_ONLY)
        || whole & READ_ONLY != 0 && has(READ_WRITE | WRITE_ONLY)
        || whole & HOST_WRITE_ONLY != 0 && has(HOST_READ_ONLY)
        || whole & HOST_READ_ONLY != 0 && has(HOST_WRITE_ONLY)
        || whole & HOST_NO_ACCESS != 0 && has(HOST_READ_ONLY | HOST_WRITE_ONLY)
}

/// The flags of a part; it inherits missing ones from the whole.
pub fn inherited(flags: u64, whole: u64) -> u64 {
    let of = |mask: u64| {
        if flags & mask != 0 {
            flags & mask
        } else {
            whole & mask
        }
    };
    of(DEVICE_ACCESS) | of(HOST_ACCESS) | whole & HOST_POINTER
}

/// Host memory for a new object.
pub struct HostMemory {
    pub address: u64,
    /// Contents of the memory; `None` if the object's initial contents are unknown.
    pub bytes: Option<Vec<u8>>,
}

impl Run {
    /// Flags for a new object.
    pub fn choose_flags(&mut self) -> u64 {
        let device = self.one_of(&[0, READ_WRITE, READ_WRITE, READ_WRITE, READ_ONLY, WRITE_ONLY]);
        let host = self.one_of(&[
            0,
            0,
            0,
            0,
            0,
            HOST_READ_ONLY,
            HOST_WRITE_ONLY,
            HOST_NO_ACCESS,
        ]);
        let pointer = self.one_of(&[
            0,
            COPY_HOST_PTR,
            COPY_HOST_PTR,
            USE_HOST_PTR,
            ALLOC_HOST_PTR,
            ALLOC_HOST_PTR | COPY_HOST_PTR,
        ]);
        let mut flags = device | host | pointer;
        if self.wrong() {
            flags = match self.random.below(3) {
                0 => self.garbage(),
                1 => u64::from(self.random.below(1 << 10)),
                _ => flags ^ (1 << self.random.below(64)),
            };
        }
        flags
    }

    /// Adds the flags of a new object as argument.
    pub fn flags_argument(&mut self, flags: u64) {
        self.argument("flags", flags, &format!("{flags:#x}"));
        self.fault_if(!flags_are_valid(flags), CL_INVALID_VALUE);
    }

    /// Host memory of this size for an object with these flags; none if the flags are invalid.
    pub fn host_memory(&mut self, flags: u64, bytes: usize) -> HostMemory {
        let mut memory = HostMemory {
            address: 0,
            bytes: None,
        };
        let mut wants = flags & (USE_HOST_PTR | COPY_HOST_PTR) != 0;
        if self.wrong() {
            wants = !wants;
            self.fault(CL_INVALID_HOST_PTR);
        }
        if !wants {
            return memory;
        }
        let bytes = bytes.clamp(1, LARGEST_BLOCK);
        let given = self.bytes(bytes);
        if flags & USE_HOST_PTR != 0 {
            if let Some(block) = self.kept.take(bytes, ALIGNMENT) {
                // SAFETY: a block of that many bytes.
                unsafe { block.copy_from_nonoverlapping(given.as_ptr(), bytes) };
                memory.address = block as u64;
            } else {
                self.fault(CL_INVALID_HOST_PTR);
            }
        } else {
            memory.address = self.momentary(&given);
        }
        memory.bytes = Some(given);
        memory
    }

    pub fn create_buffer(&mut self) -> Step {
        self.begin("clCreateBuffer");
        let wanted = self.pick(Kind::Context);
        let context = self.handle("context", &[Kind::Context], wanted);
        let flags = self.choose_flags();
        self.flags_argument(flags);
        let mut bytes = match self.random.below(4) {
            0 => self.size(1, 16),
            1 => self.size(1, 32768),
            _ => self.size(256, 2048),
        };
        if self.wrong() {
            bytes = self.one_of(&[
                0,
                0,
                usize::MAX,
                usize::MAX / 2,
                TOO_LARGE,
                usize::MAX - 4095,
            ]);
            self.fault(CL_INVALID_BUFFER_SIZE);
        }
        self.number("size", bytes);
        let host = self.host_memory(flags, bytes);
        self.argument(
            "host_ptr",
            host.address,
            if host.address == 0 { "NULL" } else { "memory" },
        );
        let done = self.make(Returns::Object)?;
        if let Some(context) = context.filter(|_| done.succeeded) {
            self.hold(context);
            let in_place = flags & USE_HOST_PTR != 0;
            let buffer = Buffer {
                // Section 5.2.1: "If the value specified for flags is 0, the default is used".
                flags: if flags == 0 { READ_WRITE } else { flags },
                size: bytes,
                host_pointer: if in_place { host.address } else { 0 },
                parent: None,
                mappings: Vec::new(),
                contents: Some(Contents::new(bytes, host.bytes)),
            };
            self.created(Kind::Buffer, done.pointer, context, Details::Buffer(buffer));
        }
        Some(())
    }

    pub fn create_sub_buffer(&mut self) -> Step {
        self.begin("clCreateSubBuffer");
        let wanted = if self.wrong() {
            self.pick(Kind::Buffer)
        } else {
            self.pick_where(|object| {
                object.is_alive()
                    && matches!(&object.details, Details::Buffer(buffer) if buffer.parent.is_none())
            })
        };
        let parent = self.handle("buffer", &[Kind::Buffer], wanted);
        let (whole, whole_size) = match parent {
            Some(parent) => {
                let details = self.model.buffer(parent);
                let (flags, size, part) = (details.flags, details.size, details.parent.is_some());
                self.fault_if(part, CL_INVALID_MEM_OBJECT);
                (flags, size)
            }
            None => (READ_WRITE, 1024),
        };
        let flags = self.sub_buffer_flags(whole);
        // CL_BUFFER_CREATE_TYPE_REGION
        self.enumerator(
            "buffer_create_type",
            0x1220,
            |value| value == 0x1220,
            CL_INVALID_VALUE,
        );
        let (origin, bytes) = self.sub_buffer_region(whole_size);
        if self.wrong() {
            self.null("buffer_create_info");
            self.fault(CL_INVALID_VALUE);
        } else {
            self.sizes("buffer_create_info", &[origin, bytes]);
        }
        let done = self.make(Returns::Object)?;
        if let Some(parent) = parent.filter(|_| done.succeeded) {
            self.hold(parent);
            let object = self.model.object(parent);
            let context = object.context;
            let host = self.model.buffer(parent).host_pointer;
            let buffer = Buffer {
                flags: inherited(flags, whole),
                size: bytes,
                host_pointer: if host == 0 { 0 } else { host + origin as u64 },
                parent: Some((parent, origin)),
                mappings: Vec::new(),
                contents: None,
            };
            self.created(Kind::Buffer, done.pointer, context, Details::Buffer(buffer));
        }
        Some(())
    }

    /// The argument `flags` for a part of a buffer with the flags `whole`.
    fn sub_buffer_flags(&mut self, whole: u64) -> u64 {
        let mut flags = 0;
        if self.one_in(2) {
            let device = self.one_of(&[0, READ_WRITE, READ_ONLY, WRITE_ONLY]);
            let host = self.one_of(&[0, HOST_READ_ONLY, HOST_WRITE_ONLY, HOST_NO_ACCESS]);
            flags = device | host;
            if widens(flags, whole) && !self.wrong() {
                flags = 0;
            }
        }
        if self.wrong() {
            flags = self.garbage();
        }
        let wrong_flags =
            !flags_are_valid(flags) || flags & HOST_POINTER != 0 || widens(flags, whole);
        self.argument("flags", flags, &format!("{flags:#x}"));
        self.fault_if(wrong_flags, CL_INVALID_VALUE);
        flags
    }

    /// Origin and size, in bytes, of a part of a buffer of `whole_size` bytes.
    fn sub_buffer_region(&mut self, whole_size: usize) -> (usize, usize) {
        let mut origin =
            self.random.below((whole_size / ALIGNMENT + 1) as u32) as usize * ALIGNMENT;
        if origin >= whole_size {
            origin = 0;
        }
        let mut bytes = self.size(1, whole_size - origin);
        if self.wrong() {
            match self.random.below(4) {
                0 => origin += 1 + self.random.below(ALIGNMENT as u32 - 1) as usize,
                1 => origin = self.garbage() as usize,
                2 => bytes = self.garbage() as usize,
                _ => bytes = whole_size - origin + 1,
            }
        }
        let inside = origin
            .checked_add(bytes)
            .is_some_and(|end| end <= whole_size);
        self.fault_if(!inside, CL_INVALID_VALUE);
        self.fault_if(bytes == 0, CL_INVALID_BUFFER_SIZE);
        self.fault_if(
            !origin.is_multiple_of(ALIGNMENT),
            CL_MISALIGNED_SUB_BUFFER_OFFSET,
        );
        (origin, bytes)
    }

    /// A random buffer or image.
    pub fn pick_mem_object(&mut self, context: Option<Id>) -> Option<Id> {
        let kind = if self.one_in(3) {
            Kind::Image
        } else {
            Kind::Buffer
        };
        self.pick_in(kind, context)
    }

    pub fn get_mem_object_info(&mut self) -> Step {
        self.begin("clGetMemObjectInfo");
        let wanted = self.pick_mem_object(None);
        let kinds = [Kind::Buffer, Kind::Image];
        let id = self.handle("memobj", &kinds, wanted);
        let mut answers = vec![
            (CL_MEM_TYPE, Answer::Size(4)),
            (CL_MEM_FLAGS, Answer::Size(8)),
            (CL_MEM_SIZE, Answer::Size(8)),
            (CL_MEM_HOST_PTR, Answer::Size(8)),
            (CL_MEM_MAP_COUNT, Answer::Size(4)),
            (CL_MEM_REFERENCE_COUNT, Answer::Size(4)),
            (CL_MEM_CONTEXT, Answer::Size(8)),
            (CL_MEM_ASSOCIATED_MEMOBJECT, Answer::Size(8)),
            (CL_MEM_OFFSET, Answer::Size(8)),
        ];
        if let Some(id) = id {
            let object = self.model.object(id);
            let (object_type, bytes, host, parent) = match &object.details {
                Details::Image(image) => (
                    image.image_type,
                    Answer::Size(8),
                    image.host_pointer,
                    image.buffer.map(|buffer| (buffer, 0)),
                ),
                _ => {
                    let buffer = self.model.buffer(id);
                    (
                        0x10F0,
                        size(buffer.size),
                        buffer.host_pointer,
                        buffer.parent,
                    )
                }
            };
            let whole = parent.map_or(0, |(parent, _)| self.model.object(parent).handle);
            answers = vec![
                (CL_MEM_TYPE, uint(object_type)),
                (CL_MEM_FLAGS, size(self.model.flags(id))),
                (CL_MEM_SIZE, bytes),
                (CL_MEM_HOST_PTR, size(host)),
                // The count may be out of date when it is returned, because mappings end with
                // commands.
                (CL_MEM_MAP_COUNT, Answer::Size(4)),
                (CL_MEM_REFERENCE_COUNT, uint(object.references)),
                (
                    CL_MEM_CONTEXT,
                    size(self.model.object(object.context).handle),
                ),
                (CL_MEM_ASSOCIATED_MEMOBJECT, size(whole)),
                (CL_MEM_OFFSET, size(parent.map_or(0, |(_, origin)| origin))),
            ];
        }
        self.query(&answers)
    }

    pub fn set_destructor_callback(&mut self) -> Step {
        self.begin("clSetMemObjectDestructorCallback");
        let wanted = self.pick_mem_object(None);
        let kinds = [Kind::Buffer, Kind::Image];
        let id = self.handle("memobj", &kinds, wanted);
        let counter = Counter::new();
        if self.wrong() {
            self.null("pfn_notify");
            self.fault(CL_INVALID_VALUE);
        } else {
            self.argument("pfn_notify", callbacks::object as *const () as u64, "count");
        }
        self.argument("user_data", counter.user_data(), "a counter");
        if self.make(Returns::Status)?.succeeded {
            let text = format!(
                "the destructor callback of object {id:?} of step {}",
                self.step()
            );
            self.callbacks.push((counter, 1, text));
        }
        Some(())
    }
}
