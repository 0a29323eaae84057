//! Handles, by which the host program refers to objects.
//!
//! A handle is the address of two words, the first of which the loader reads. Whether a
//! number that comes in is a handle, and of what kind, is looked up in a registry,
//! never read from memory: null, foreign, stale and wrong handles are all recognised.
//!
//! The references that the host program counts are apart from those that Rust counts.
//! While the host's count is above 0 the registry holds the object. An object that lives
//! on for other reasons (a queue's context, a buffer that is a kernel's argument) keeps
//! its handle, so that queries can return it and the host can retain it again.

mod fork;
mod registry;
mod slots;

use crate::abi::host_memory::In;
use cl_sys::{cl_context_properties, cl_platform_id};
use once_cell::sync::Lazy;
pub use registry::Shared;
use registry::{Entry, REGISTRY, read, write};
use runtime::context::Context;
use runtime::device::{Device, nodes};
use runtime::error::{Code, Error, Result};
use runtime::event::Event;
use runtime::handle_slot::HasHandle;
use runtime::kernel::Kernel;
use runtime::memory::buffer::Buffer;
use runtime::memory::image::Image;
use runtime::memory::sampler::Sampler;
use runtime::program::Program;
use runtime::queue::CommandQueue;
use slots::Handle;
use std::any::TypeId;
use std::ffi::c_void;
use std::sync::{Arc, Once, Weak};

/// The handles of the platforms, one for each node.
static PLATFORMS: Lazy<Box<[Handle]>> =
    Lazy::new(|| (0..nodes::count()).map(|_| Handle::new()).collect());

/// The handle of a node's platform.
pub fn platform(node: usize) -> cl_platform_id {
    (&raw const PLATFORMS[node]).cast_mut().cast()
}

/// The handles of all platforms, in the order of the nodes.
pub fn platforms() -> impl ExactSizeIterator<Item = cl_platform_id> {
    (0..PLATFORMS.len()).map(platform)
}

/// The node whose platform has this handle.
pub fn node_of_platform(handle: cl_platform_id) -> Option<usize> {
    let first = platform(0).addr();
    let offset = handle.addr().checked_sub(first)?;
    let node = offset / size_of::<Handle>();
    (node < PLATFORMS.len() && platform(node) == handle).then_some(node)
}

/// An object that the host program can have handles of.
pub trait Object: HasHandle {
    /// The error for a handle that is not one of this kind.
    const INVALID: Code;
    /// What the specification calls it.
    const NAME: &'static str;
    /// Data of this layer that is stored with the object.
    type Attachment: Default + Send + Sync + 'static;
}

macro_rules! objects {
    ($($type:ty, $invalid:ident, $name:literal, $attachment:ty;)*) => {$(
        impl Object for $type {
            const INVALID: Code = Code::$invalid;
            const NAME: &'static str = $name;
            type Attachment = $attachment;
        }
    )*};
}

objects! {
    Device, InvalidDevice, "device", ();
    // The properties as they were given, for CL_CONTEXT_PROPERTIES.
    Context, InvalidContext, "context", Vec<cl_context_properties>;
    CommandQueue, InvalidCommandQueue, "command-queue", ();
    Buffer, InvalidMemObject, "buffer", ();
    Image, InvalidMemObject, "image", ();
    Sampler, InvalidSampler, "sampler", ();
    Program, InvalidProgram, "program", ();
    Kernel, InvalidKernel, "kernel", ();
    Event, InvalidEvent, "event", ();
}

/// The entry of an object in the registry. Lives in the object's `HandleSlot`, so that
/// it is dropped with the object.
struct Registration<A> {
    address: usize,
    attachment: A,
}

impl<A> Registration<A> {
    fn new<T: Object<Attachment = A>>(object: &Arc<T>, attachment: A) -> Self {
        static SURVIVES_FORK: Once = Once::new();
        SURVIVES_FORK.call_once(fork::survive);
        let weak: Weak<T> = Arc::downgrade(object);
        let address = slots::take();
        let entry = Entry {
            kind: TypeId::of::<T>(),
            kind_name: T::NAME,
            object: weak,
            held: None,
            references: 0,
        };
        write(address).insert(address, entry);
        Self {
            address,
            attachment,
        }
    }
}

impl<A> Drop for Registration<A> {
    fn drop(&mut self) {
        let entry = write(self.address).remove(&self.address);
        drop(entry);
        slots::give_back(self.address);
    }
}

fn registration<T: Object>(
    object: &Arc<T>,
    attachment: impl FnOnce() -> T::Attachment,
) -> &Registration<T::Attachment> {
    object
        .handle_slot()
        .get_or_init(|| Registration::new(object, attachment()))
        .expect("only this module fills client slots")
}

/// The error for a handle that is no valid `T`. Locks a shard.
fn invalid<T: Object>(address: usize) -> Error {
    let name = T::NAME;
    let entry = read(address).get(&address).map(|entry| entry.kind_name);
    let sentence = match entry {
        _ if address == 0 => format!("the handle of the {name} is NULL"),
        Some(kind) if kind == name => format!("the program has released the {name}"),
        Some(kind) => format!("the object of the handle is of kind {kind}, not {name}"),
        None if slots::is_given_back(address) => {
            format!("the handle of the {name} is that of an object that has been released")
        }
        None => format!("the handle of the {name} is none of this platform"),
    };
    Error::new(T::INVALID, sentence)
}

/// The handle of an object, without a reference for the host program (for queries).
pub fn handle_of<T: Object>(object: &Arc<T>) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(registration(object, Default::default).address)
}

/// The handles of several objects.
pub fn handles_of<T: Object>(objects: &[Arc<T>]) -> Vec<*mut c_void> {
    objects.iter().map(handle_of).collect()
}

/// The handle of a new object, with one reference for the host program.
pub fn publish<T: Object>(object: Arc<T>) -> *mut c_void {
    publish_with(object, T::Attachment::default())
}

/// As `publish`; the attachment is kept with the object.
pub fn publish_with<T: Object>(object: Arc<T>, attachment: T::Attachment) -> *mut c_void {
    let address = registration(&object, || attachment).address;
    let mut shard = write(address);
    if let Some(entry) = shard.get_mut(&address) {
        entry.references += 1;
        entry.held = Some(object);
    }
    drop(shard);
    std::ptr::with_exposed_provenance_mut(address)
}

/// The attachment that was given to `publish_with`.
pub fn attachment<T: Object>(object: &Arc<T>) -> &T::Attachment {
    &registration(object, Default::default).attachment
}

/// The object behind a handle.
///
/// # Errors
/// `T::INVALID`: null, stale, foreign, or of another kind.
pub fn object<T: Object>(handle: *mut c_void) -> Result<Arc<T>> {
    let address = handle.addr();
    let shard = read(address);
    let found = shard.get(&address).and_then(|entry| match &entry.held {
        Some(object) => Some(Arc::clone(object)),
        None => entry.object.upgrade(),
    });
    // Dropping an object locks a shard: not while one is locked.
    drop(shard);
    found
        .and_then(|object| object.downcast().ok())
        .ok_or_else(|| invalid::<T>(address))
}

/// The object behind a handle of any kind.
pub fn any(address: usize) -> Option<Shared> {
    let shard = read(address);
    shard.get(&address).and_then(|entry| entry.object.upgrade())
}

/// Calls `visit` with each object that the host program has references to. Leaves out those whose
/// part of the registry another thread is changing.
pub fn for_each_held(mut visit: impl FnMut(&'static str, &Shared)) {
    for shard in REGISTRY.iter().filter_map(|shard| shard.try_read()) {
        for entry in shard.values() {
            if let Some(object) = &entry.held {
                visit(entry.kind_name, object);
            }
        }
    }
}

/// What the specification calls the object behind a handle; none if it is no handle.
pub fn kind(address: usize) -> Option<&'static str> {
    if node_of_platform(std::ptr::without_provenance_mut(address)).is_some() {
        return Some("platform");
    }
    read(address).get(&address).map(|entry| entry.kind_name)
}

/// The objects behind `count` handles.
///
/// # Errors
/// `T::INVALID`, as for `object`.
pub fn objects<T: Object>(count: u32, handles: In<*mut c_void>) -> Result<Vec<Arc<T>>> {
    handles.elements(count as usize).map(object).collect()
}

/// `clRetain…`.
///
/// # Errors
/// `T::INVALID`; `OutOfResources` after 2^32 - 1 calls.
pub fn retain<T: Object>(handle: *mut c_void) -> Result<()> {
    let address = handle.addr();
    let mut shard = write(address);
    let entry = shard.get_mut(&address);
    let Some(entry) = entry.filter(|entry| entry.kind == TypeId::of::<T>()) else {
        drop(shard);
        return Err(invalid::<T>(address));
    };
    if entry.held.is_none() {
        entry.held = entry.object.upgrade();
    }
    if entry.held.is_none() {
        drop(shard);
        return Err(invalid::<T>(address));
    }
    entry.references = entry
        .references
        .checked_add(1)
        .ok_or_else(|| Error::new(Code::OutOfResources, "too many references"))?;
    Ok(())
}

/// `clRelease…`. Calls `last` with the object before the registry lets go of it, if that
/// was the host's last reference.
///
/// # Errors
/// `T::INVALID`; also if the host has no reference left.
pub fn release_with<T: Object>(handle: *mut c_void, last: impl FnOnce(&Arc<T>)) -> Result<()> {
    let address = handle.addr();
    let mut shard = write(address);
    let entry = shard.get_mut(&address);
    let is_held = |entry: &&mut Entry| entry.kind == TypeId::of::<T>() && entry.references > 0;
    let Some(entry) = entry.filter(is_held) else {
        drop(shard);
        return Err(invalid::<T>(address));
    };
    entry.references -= 1;
    let held = if entry.references == 0 {
        entry.held.take()
    } else {
        None
    };
    // Dropping an object locks a shard: not while one is locked.
    drop(shard);
    if let Some(object) = held.and_then(|object| object.downcast().ok()) {
        last(&object);
    }
    Ok(())
}

/// `clRelease…` of an object that needs nothing done before.
///
/// # Errors
/// As `release_with`.
pub fn release<T: Object>(handle: *mut c_void) -> Result<()> {
    release_with::<T>(handle, |_| ())
}

/// `CL_…_REFERENCE_COUNT`.
pub fn reference_count<T: Object>(object: &Arc<T>) -> u32 {
    let address = registration(object, Default::default).address;
    read(address)
        .get(&address)
        .map_or(0, |entry| entry.references)
}

#[cfg(test)]
mod tests;
