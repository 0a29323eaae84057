//! The model of the platform's state after the calls of a sequence so far: objects, the number of
//! references that the host has to each, and the state that decides which results are right.

pub use super::ids::Id;
use crate::callbacks::Counter;
use crate::contents::Contents;
use cl_sys::*;
use std::collections::{BTreeMap, BTreeSet};

/// Kinds of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Device,
    Context,
    Queue,
    Buffer,
    Image,
    Sampler,
    Program,
    Kernel,
    Event,
}

impl Kind {
    /// The error code that the specification names for an invalid handle where one of this kind is
    /// required.
    pub fn invalid_handle(self) -> i32 {
        match self {
            Self::Device => CL_INVALID_DEVICE,
            Self::Context => CL_INVALID_CONTEXT,
            Self::Queue => CL_INVALID_COMMAND_QUEUE,
            Self::Buffer | Self::Image => CL_INVALID_MEM_OBJECT,
            Self::Sampler => CL_INVALID_SAMPLER,
            Self::Program => CL_INVALID_PROGRAM,
            Self::Kernel => CL_INVALID_KERNEL,
            Self::Event => CL_INVALID_EVENT,
        }
    }
}

/// The possible results of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Completes,
    Perhaps,
    Fails,
}

/// An object that the platform created.
#[derive(Debug)]
pub struct Object {
    pub id: Id,
    pub kind: Kind,
    pub handle: u64,
    /// The object's context, if its kind has one.
    pub context: Id,
    /// Number of references that the host has.
    pub references: u32,
    /// Another object or command may hold it, so that its handle may be valid without references
    /// of the host.
    pub held: bool,
    pub details: Details,
}

impl Object {
    pub fn is_alive(&self) -> bool {
        self.references > 0
    }

    /// Its handle is certainly no longer valid.
    pub fn is_gone(&self) -> bool {
        self.references == 0 && !self.held
    }
}

#[derive(Debug)]
pub enum Details {
    Device(Device),
    Context(Context),
    Queue(Queue),
    Buffer(Buffer),
    Image(Image),
    Sampler(Sampler),
    Program(Program),
    Kernel(Kernel),
    Event(Event),
}

#[derive(Debug, Default)]
pub struct Device {
    /// The device from which `clCreateSubDevices` created it.
    pub parent: Option<Id>,
    pub compute_units: u32,
}

#[derive(Debug)]
pub struct Context {
    pub devices: Vec<Id>,
    /// The given properties, with the final 0.
    pub properties: Vec<u64>,
}

#[derive(Debug)]
pub struct Queue {
    pub device: Id,
    pub properties: u64,
    /// User events that commands in it may wait for.
    pub gates: BTreeSet<Id>,
    /// Whether a pending command may have failed.
    pub doubtful: bool,
}

impl Queue {
    pub fn in_order(&self) -> bool {
        self.properties & 1 == 0
    }
}

/// A mapped region.
#[derive(Clone, Debug)]
pub struct Mapping {
    pub pointer: u64,
    pub writes: bool,
    /// Origin and size: bytes of a buffer or pixels of an image.
    pub origin: [usize; 3],
    pub region: [usize; 3],
    /// The bytes that the host wrote to the region, if known.
    pub written: Option<Vec<u8>>,
}

#[derive(Debug)]
pub struct Buffer {
    pub flags: u64,
    pub size: usize,
    pub host_pointer: u64,
    /// The buffer that it is a part of, and its origin in bytes.
    pub parent: Option<(Id, usize)>,
    pub mappings: Vec<Mapping>,
    /// `None` for parts of buffers and for large buffers.
    pub contents: Option<Contents>,
}

#[derive(Debug)]
pub struct Image {
    pub flags: u64,
    pub image_type: u32,
    pub format: (u32, u32),
    pub element_size: usize,
    /// Size in pixels: width, rows (or images of a 1D array), slices (or images of a 2D array).
    pub extent: [usize; 3],
    pub host_pointer: u64,
    /// The buffer that it is created from.
    pub buffer: Option<Id>,
    pub mappings: Vec<Mapping>,
    /// The pixels without padding.
    pub contents: Option<Contents>,
}

#[derive(Debug)]
pub struct Sampler {
    pub normalized: u32,
    pub addressing: u32,
    pub filter: u32,
}

/// The contents of a program, the same for all of its devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    None,
    /// A build with a callback may still be running, or its result is not known.
    Unknown,
    Compiled,
    Library,
    Executable,
}

#[derive(Debug)]
pub struct Program {
    pub devices: Vec<Id>,
    /// Index into the table of sources, if made from one.
    pub source: Option<usize>,
    pub product: Product,
    /// What the binary contains that the program was created from.
    pub given: Option<Product>,
    /// Indices into the table of sources: the sources it is built or linked from.
    pub parts: Vec<usize>,
    /// A build that may still be running: the counter of its callback, and its product.
    pub building: Option<(Counter, Product)>,
    /// The options of the last build that was started for all devices.
    pub options: Option<&'static str>,
}

#[derive(Debug)]
pub struct Kernel {
    pub program: Id,
    /// Index into the table of kernels.
    pub which: usize,
    pub values: Vec<Option<Value>>,
}

#[derive(Debug)]
pub struct Event {
    pub queue: Option<Id>,
    pub command_type: u32,
    /// User events that it may have to wait for.
    pub gates: BTreeSet<Id>,
    /// User events that the command has to wait for.
    pub awaits: BTreeSet<Id>,
    pub outcome: Outcome,
    /// Whether the command has certainly ended.
    pub ended: bool,
    /// The status that was set, if it is a user event.
    pub user_status: Option<i32>,
}

macro_rules! access {
    ($($name:ident $name_mut:ident $kind:ident;)*) => {$(
        #[allow(dead_code, reason = "not every kind is changed")]
        impl Model {
            /// The state of an object of this kind.
            ///
            /// # Panics
            /// The object is of another kind.
            pub fn $name(&self, id: Id) -> &$kind {
                match &self.object(id).details {
                    Details::$kind(details) => details,
                    other => panic!("object {id} is {other:?}"),
                }
            }
            /// The modifiable state of an object of this kind.
            ///
            /// # Panics
            /// The object is of another kind.
            pub fn $name_mut(&mut self, id: Id) -> &mut $kind {
                match &mut self.object_mut(id).details {
                    Details::$kind(details) => details,
                    other => panic!("object {id} is {other:?}"),
                }
            }
        }
    )*};
}
access! {
    device device_mut Device;
    context context_mut Context;
    queue queue_mut Queue;
    buffer buffer_mut Buffer;
    image image_mut Image;
    sampler sampler_mut Sampler;
    program program_mut Program;
    kernel kernel_mut Kernel;
    event event_mut Event;
}

/// All objects of a sequence.
#[derive(Default)]
pub struct Model {
    objects: BTreeMap<Id, Object>,
}

impl Model {
    /// An object.
    ///
    /// # Panics
    /// There is no such object.
    pub fn object(&self, id: Id) -> &Object {
        &self.objects[&id]
    }

    /// A modifiable object.
    ///
    /// # Panics
    /// There is no such object.
    pub fn object_mut(&mut self, id: Id) -> &mut Object {
        self.objects.get_mut(&id).expect("the object exists")
    }

    pub fn insert(&mut self, object: Object) {
        self.objects.insert(object.id, object);
    }

    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.objects.values()
    }

    pub fn ids(&self, kind: Kind) -> Vec<Id> {
        let of_kind = self.objects().filter(|object| object.kind == kind);
        of_kind.map(|object| object.id).collect()
    }

    /// Whether the user event has no status yet.
    pub fn is_unset(&self, event: Id) -> bool {
        self.event(event).user_status.is_none()
    }

    /// Whether any of these user events has no status yet.
    pub fn are_unset(&self, gates: &BTreeSet<Id>) -> bool {
        gates.iter().any(|gate| self.is_unset(*gate))
    }

    /// The object that has the contents of a buffer or image, and the offset in it, in bytes.
    pub fn memory_of(&self, id: Id) -> (Id, usize) {
        match &self.object(id).details {
            Details::Buffer(buffer) => buffer.parent.unwrap_or((id, 0)),
            Details::Image(Image {
                buffer: Some(buffer),
                ..
            }) => self.memory_of(*buffer),
            _ => (id, 0),
        }
    }

    /// The contents of a buffer or image that is not a part of another.
    pub fn contents_mut(&mut self, memory: Id) -> Option<&mut Contents> {
        match &mut self.object_mut(memory).details {
            Details::Buffer(buffer) => buffer.contents.as_mut(),
            Details::Image(image) => image.contents.as_mut(),
            _ => None,
        }
    }

    /// Flags of a buffer or image.
    pub fn flags(&self, id: Id) -> u64 {
        match &self.object(id).details {
            Details::Buffer(buffer) => buffer.flags,
            Details::Image(image) => image.flags,
            _ => 0,
        }
    }

    /// The mappings of a buffer or image.
    pub fn mappings_mut(&mut self, id: Id) -> &mut Vec<Mapping> {
        match &mut self.object_mut(id).details {
            Details::Buffer(buffer) => &mut buffer.mappings,
            Details::Image(image) => &mut image.mappings,
            other => panic!("object {id} is {other:?}"),
        }
    }

    /// The bytes of a range of an object's memory.
    pub fn bytes(&mut self, id: Id, start: usize, count: usize) -> Option<(Vec<u8>, Vec<bool>)> {
        let (memory, origin) = self.memory_of(id);
        let contents = self.contents_mut(memory)?;
        Some(contents.get(origin + start..origin + start + count))
    }

    /// Makes the host's writes to mapped regions unknown, because another command writes to the
    /// memory. Returns whether a region is mapped for writing.
    fn disturb_mappings(&mut self, memory: Id) -> bool {
        let of_memory = |id: &Id| {
            let kind = self.object(*id).kind;
            matches!(kind, Kind::Buffer | Kind::Image) && self.memory_of(*id).0 == memory
        };
        let sharing: Vec<Id> = self.objects.keys().copied().filter(of_memory).collect();
        let mut any = false;
        for id in sharing {
            for mapping in self.mappings_mut(id) {
                mapping.written = None;
                any |= mapping.writes;
            }
        }
        any
    }

    /// Writes to an object's memory; `None` makes the range unknown.
    pub fn write(&mut self, id: Id, start: usize, count: usize, bytes: Option<&[u8]>) {
        let (memory, origin) = self.memory_of(id);
        let bytes = if self.disturb_mappings(memory) {
            None
        } else {
            bytes
        };
        if let Some(contents) = self.contents_mut(memory) {
            contents.write(origin + start..origin + start + count, bytes);
        }
    }

    /// Writes bytes that `bytes` returned to an object's memory.
    pub fn put(&mut self, id: Id, start: usize, bytes: &(Vec<u8>, Vec<bool>)) {
        let (memory, origin) = self.memory_of(id);
        if self.disturb_mappings(memory) {
            self.write(id, start, bytes.0.len(), None);
            return;
        }
        if let Some(contents) = self.contents_mut(memory) {
            contents.put(origin + start, bytes);
        }
    }

    /// Makes the contents of all memory objects unknown that have pending commands in these queues.
    pub fn forget_users(&mut self, queues: &BTreeSet<Id>) {
        for object in self.objects.values_mut() {
            let contents = match &mut object.details {
                Details::Buffer(buffer) => &mut buffer.contents,
                Details::Image(image) => &mut image.contents,
                _ => continue,
            };
            if let Some(contents) = contents
                && !contents.users.is_disjoint(queues)
            {
                contents.forget();
            }
        }
    }

    /// Records that all commands of a queue have ended.
    pub fn finished(&mut self, queue: Id) {
        for object in self.objects.values_mut() {
            match &mut object.details {
                Details::Buffer(Buffer {
                    contents: Some(contents),
                    ..
                })
                | Details::Image(Image {
                    contents: Some(contents),
                    ..
                }) => {
                    contents.users.remove(&queue);
                }
                Details::Event(event) if event.queue == Some(queue) => event.ended = true,
                _ => {}
            }
        }
        let queue = self.queue_mut(queue);
        queue.gates.clear();
        queue.doubtful = false;
    }
}

/// The value of a kernel argument.
#[derive(Clone, Debug)]
pub enum Value {
    Buffer(Option<Id>),
    Bytes(Vec<u8>),
    Local(usize),
    Image(Id),
    Sampler(Id),
}

impl Value {
    /// The object that the value refers to.
    pub fn object(&self) -> Option<Id> {
        match self {
            Self::Buffer(Some(id)) | Self::Image(id) | Self::Sampler(id) => Some(*id),
            _ => None,
        }
    }
}
