//! Handles: what the host program holds in the place of objects.
//!
//! A handle is the address of two words, the first of which the loader reads. Whether a
//! number that comes in is a handle, and of what kind, is looked up in a registry,
//! never read from memory: null, foreign, stale and wrong handles are all recognised.
//!
//! The references that the host program counts are apart from those that Rust counts.
//! While the host's count is above 0 the registry holds the object. An object that lives
//! on for other reasons (a queue's context, a buffer that is a kernel's argument) keeps
//! its handle, so that queries can return it and the host can retain it again.

mod slots;

use crate::dispatch::{DISPATCH_TABLE, DispatchTable};
use crate::host_memory::In;
use cl_sys::{cl_context_properties, cl_platform_id};
use parking_lot::lock_api::RawRwLock as _;
use parking_lot::{RawRwLock, RwLock, RwLockReadGuard, RwLockWriteGuard};
use runtime::context::Context;
use runtime::device::Device;
use runtime::error::{Code, Error, Result};
use runtime::event::Event;
use runtime::handle_slot::HasHandle;
use runtime::kernel::Kernel;
use runtime::memory::buffer::Buffer;
use runtime::memory::image::Image;
use runtime::memory::sampler::Sampler;
use runtime::program::Program;
use runtime::queue::CommandQueue;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::ffi::c_void;
use std::hash::{BuildHasherDefault, Hasher};
use std::ptr::null_mut;
use std::sync::{Arc, Once, Weak};

/// What the loader sees of an object (cl_khr_icd).
#[repr(C)]
pub struct Handle {
    dispatch: &'static DispatchTable,
    /// Version 2 of cl_khr_icd keeps the loader's own data here.
    dispatch_data: *mut c_void,
}

// SAFETY: `dispatch_data` is the loader's; we never look at it.
unsafe impl Sync for Handle {}

impl Handle {
    /// A handle.
    pub const fn new() -> Self {
        Self {
            dispatch: &DISPATCH_TABLE,
            dispatch_data: null_mut(),
        }
    }
}

impl Handle {
    /// The handle is for another object: the loader's data go.
    ///
    /// # Safety
    /// `handle` is one, and of no object.
    unsafe fn forget_loader(handle: *mut Self) {
        // SAFETY: as the caller promises. The other word stays as it is: the loader may be
        // reading it for a stale handle.
        unsafe { (&raw mut (*handle).dispatch_data).write(null_mut()) };
    }
}

static PLATFORM: Handle = Handle::new();

/// The handle of the one platform.
pub fn platform() -> cl_platform_id {
    (&raw const PLATFORM).cast_mut().cast()
}

/// An object that the host program can have handles of.
pub trait Object: HasHandle {
    /// The error for a handle that is not one of this kind.
    const INVALID: Code;
    /// What the specification calls it.
    const NAME: &'static str;
    /// What this layer keeps with the object.
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

type Shared = Arc<dyn Any + Send + Sync>;

/// What the registry knows of a handle.
struct Entry {
    kind: TypeId,
    /// What the specification calls the kind.
    kind_name: &'static str,
    object: Weak<dyn Any + Send + Sync>,
    /// The object, while `references` is not 0.
    held: Option<Shared>,
    /// The host program's count.
    references: u32,
}

/// Addresses differ in their middle bits; this spreads them over all.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }
    fn write_usize(&mut self, address: usize) {
        self.0 = spread(self.0 ^ address as u64);
    }
}

/// Fibonacci hashing, with the good upper half brought down as well.
fn spread(address: u64) -> u64 {
    let product = address.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ (product >> 32)
}

type Shard = HashMap<usize, Entry, BuildHasherDefault<AddressHasher>>;

const SHARDS: usize = 64;

static REGISTRY: [RwLock<Shard>; SHARDS] =
    [const { RwLock::new(Shard::with_hasher(BuildHasherDefault::new())) }; SHARDS];

fn shard(address: usize) -> &'static RwLock<Shard> {
    // Other bits than the map inside uses.
    &REGISTRY[(spread(address as u64) >> 24) as usize % SHARDS]
}

fn read(address: usize) -> RwLockReadGuard<'static, Shard> {
    shard(address).read()
}

fn write(address: usize) -> RwLockWriteGuard<'static, Shard> {
    shard(address).write()
}

/// Keeps all locks of the registry across each `fork` from now on. Every call takes some of them,
/// and a child in which one is held by a thread that only its parent has would wait for ever.
fn survive_fork() {
    extern "C" fn before() {
        for shard in &REGISTRY {
            std::mem::forget(shard.write());
        }
        slots::before_fork();
    }
    extern "C" fn in_parent() {
        // SAFETY: `before` has locked them on this thread.
        unsafe {
            slots::in_parent();
            for shard in &REGISTRY {
                shard.force_unlock_write();
            }
        }
    }
    extern "C" fn in_child() {
        // Not unlocked: that would look for threads that wait for them in the parent.
        // SAFETY: no other thread runs, and `before` has made sure that what the locks protect is
        // whole.
        unsafe {
            slots::in_child();
            for shard in &REGISTRY {
                let shard = (&raw const *shard.raw()).cast_mut();
                shard.write(RawRwLock::INIT);
            }
        }
    }
    // SAFETY: the handlers use statics only; this library is never unloaded.
    unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
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
        SURVIVES_FORK.call_once(survive_fork);
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

fn invalid<T: Object>() -> Error {
    Error::new(T::INVALID, format!("not a valid {}", T::NAME))
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

/// What was attached to the object when it was published.
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
        .ok_or_else(invalid::<T>)
}

/// What the specification calls the object behind a handle; none if it is no handle.
pub fn kind(address: usize) -> Option<&'static str> {
    if address == platform().addr() {
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
    let entry = shard
        .get_mut(&address)
        .filter(|entry| entry.kind == TypeId::of::<T>())
        .ok_or_else(invalid::<T>)?;
    if entry.held.is_none() {
        entry.held = Some(entry.object.upgrade().ok_or_else(invalid::<T>)?);
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
    let entry = shard
        .get_mut(&address)
        .filter(|entry| entry.kind == TypeId::of::<T>() && entry.references > 0)
        .ok_or_else(invalid::<T>)?;
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
mod tests {
    use super::*;
    use runtime::handle_slot::HandleSlot;

    #[derive(Default)]
    struct Thing {
        handle: HandleSlot,
        inner: Option<Arc<Thing>>,
    }
    #[derive(Default)]
    struct Other {
        handle: HandleSlot,
    }
    impl HasHandle for Thing {
        fn handle_slot(&self) -> &HandleSlot {
            &self.handle
        }
    }
    impl HasHandle for Other {
        fn handle_slot(&self) -> &HandleSlot {
            &self.handle
        }
    }
    objects! {
        Thing, InvalidEvent, "thing", u8;
        Other, InvalidKernel, "other", ();
    }

    fn code<T>(result: Result<T>) -> Option<Code> {
        result.err().map(|error| error.code)
    }

    fn publish_and_release() {
        let handle = publish(Arc::new(Thing::default()));
        release_with::<Thing>(handle, |_| ()).unwrap();
    }

    /// A thread holds each lock in turn at the moment of a `fork`.
    #[test]
    fn a_child_of_fork_finds_no_lock_held() {
        publish_and_release();
        let hold: [fn(&dyn Fn()); 2] = [
            |meanwhile| {
                slots::before_fork();
                meanwhile();
                // SAFETY: locked above, on this thread.
                unsafe { slots::in_parent() };
            },
            |meanwhile| {
                let _guards = REGISTRY.each_ref().map(|shard| shard.write());
                meanwhile();
            },
        ];
        for hold in hold {
            let (held, is_held) = std::sync::mpsc::channel();
            let holder = std::thread::spawn(move || {
                hold(&|| {
                    held.send(()).unwrap();
                    std::thread::sleep(std::time::Duration::from_millis(50));
                });
            });
            is_held.recv().unwrap();
            // SAFETY: the child uses the registry and ends, by a signal if it waits for ever.
            let child = unsafe { libc::fork() };
            if child == 0 {
                // SAFETY: as above.
                unsafe { libc::alarm(10) };
                publish_and_release();
                // SAFETY: as above.
                unsafe { libc::_exit(0) };
            }
            let mut status = 1;
            // SAFETY: the child is this process's.
            assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
            assert_eq!(status, 0);
            holder.join().unwrap();
        }
    }

    #[test]
    fn foreign_handles_are_not_dereferenced() {
        for address in [0usize, 1, 0xdead_beef_dead_bee0, usize::MAX] {
            let handle = std::ptr::without_provenance_mut(address);
            assert_eq!(code(object::<Thing>(handle)), Some(Code::InvalidEvent));
            assert_eq!(code(retain::<Thing>(handle)), Some(Code::InvalidEvent));
            assert_eq!(code(release::<Other>(handle)), Some(Code::InvalidKernel));
        }
    }

    #[test]
    fn the_first_word_is_the_dispatch_table() {
        let handle = publish(Arc::new(Thing::default()));
        // SAFETY: a live handle is the address of a `Handle`.
        let first = unsafe { *handle.cast::<*const DispatchTable>() };
        assert!(std::ptr::eq(first, &DISPATCH_TABLE));
        release::<Thing>(handle).unwrap();
    }

    #[test]
    fn a_handle_of_another_kind_is_refused() {
        let handle = publish(Arc::new(Thing::default()));
        assert_eq!(code(object::<Other>(handle)), Some(Code::InvalidKernel));
        assert_eq!(code(retain::<Other>(handle)), Some(Code::InvalidKernel));
        assert_eq!(code(release::<Other>(handle)), Some(Code::InvalidKernel));
        release::<Thing>(handle).unwrap();
    }

    #[test]
    fn released_objects_end_and_their_handles_are_stale() {
        let thing = Arc::new(Thing::default());
        let weak = Arc::downgrade(&thing);
        let handle = publish(thing);
        retain::<Thing>(handle).unwrap();
        release::<Thing>(handle).unwrap();
        assert!(object::<Thing>(handle).is_ok());
        release::<Thing>(handle).unwrap();
        assert!(weak.upgrade().is_none());
        assert_eq!(code(object::<Thing>(handle)), Some(Code::InvalidEvent));
        assert_eq!(code(release::<Thing>(handle)), Some(Code::InvalidEvent));
    }

    #[test]
    fn the_handle_lives_as_long_as_the_object() {
        let thing = Arc::new(Thing::default());
        let handle = publish(Arc::clone(&thing));
        release::<Thing>(handle).unwrap();
        assert_eq!(reference_count(&thing), 0);
        assert_eq!(code(release::<Thing>(handle)), Some(Code::InvalidEvent));
        assert_eq!(handle_of(&thing), handle);
        retain::<Thing>(handle).unwrap();
        assert_eq!(reference_count(&thing), 1);
        drop(thing);
        assert!(object::<Thing>(handle).is_ok());
        release::<Thing>(handle).unwrap();
        assert_eq!(code(object::<Thing>(handle)), Some(Code::InvalidEvent));
    }

    #[test]
    fn an_object_may_own_others() {
        let inner = Arc::new(Thing::default());
        let inner_handle = publish(Arc::clone(&inner));
        let outer_handle = publish(Arc::new(Thing {
            inner: Some(inner),
            ..Thing::default()
        }));
        release::<Thing>(inner_handle).unwrap();
        let outer = object::<Thing>(outer_handle).unwrap();
        assert_eq!(outer.inner.as_ref().map(handle_of), Some(inner_handle));
        drop(outer);
        release::<Thing>(outer_handle).unwrap();
        assert_eq!(
            code(object::<Thing>(inner_handle)),
            Some(Code::InvalidEvent)
        );
    }

    #[test]
    fn attachments_are_kept() {
        let thing = Arc::new(Thing::default());
        let handle = publish_with(Arc::clone(&thing), 7);
        assert_eq!(*attachment(&thing), 7);
        release::<Thing>(handle).unwrap();
    }

    #[test]
    fn threads_can_race_for_the_last_reference() {
        for _ in 0..200 {
            let handle = publish(Arc::new(Thing::default())).expose_provenance();
            let released: usize = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4)
                    .map(|_| {
                        scope.spawn(move || {
                            let handle = std::ptr::with_exposed_provenance_mut(handle);
                            let _ = object::<Thing>(handle);
                            usize::from(release::<Thing>(handle).is_ok())
                        })
                    })
                    .collect();
                threads.into_iter().map(|t| t.join().unwrap()).sum()
            });
            assert_eq!(released, 1);
        }
    }
}
