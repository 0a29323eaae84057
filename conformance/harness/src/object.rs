//! References to OpenCL objects: a clone calls `clRetain…`, a drop `clRelease…`. Every object is
//! recorded, so that leaks are found at the end of a round.

use crate::call::{check, code};
use crate::failure;
use anyhow::{Result, bail, ensure};
use cl_sys::*;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A kind of reference-counted object.
pub trait Kind: 'static {
    /// The object's name in the specification.
    const NAME: &'static str;
    /// The code for an invalid handle.
    const INVALID: cl_int;
    /// `clRetain…`
    fn retain(handle: *mut c_void) -> cl_int;
    /// `clRelease…`
    fn release(handle: *mut c_void) -> cl_int;
    /// `CL_…_REFERENCE_COUNT`
    fn reference_count(handle: *mut c_void, to: *mut cl_uint) -> cl_int;
}

macro_rules! kinds {
    ($($kind:ident $name:literal $invalid:ident $retain:ident $release:ident $info:ident
       $count:ident;)*) => {$(
        #[doc = concat!("`cl_", $name, "`")]
        pub struct $kind;

        impl Kind for $kind {
            const NAME: &'static str = $name;
            const INVALID: cl_int = $invalid;
            fn retain(handle: *mut c_void) -> cl_int {
                code!($retain(handle))
            }
            fn release(handle: *mut c_void) -> cl_int {
                code!($release(handle))
            }
            fn reference_count(handle: *mut c_void, to: *mut cl_uint) -> cl_int {
                code!($info(handle, $count, size_of::<cl_uint>(), to.cast(), null_mut()))
            }
        }
    )*};
}

kinds! {
    SubDevice "device" CL_INVALID_DEVICE clRetainDevice clReleaseDevice clGetDeviceInfo
        CL_DEVICE_REFERENCE_COUNT;
    Context "context" CL_INVALID_CONTEXT clRetainContext clReleaseContext clGetContextInfo
        CL_CONTEXT_REFERENCE_COUNT;
    Queue "command_queue" CL_INVALID_COMMAND_QUEUE clRetainCommandQueue clReleaseCommandQueue
        clGetCommandQueueInfo CL_QUEUE_REFERENCE_COUNT;
    Memory "mem" CL_INVALID_MEM_OBJECT clRetainMemObject clReleaseMemObject clGetMemObjectInfo
        CL_MEM_REFERENCE_COUNT;
    Sampler "sampler" CL_INVALID_SAMPLER clRetainSampler clReleaseSampler clGetSamplerInfo
        CL_SAMPLER_REFERENCE_COUNT;
    Program "program" CL_INVALID_PROGRAM clRetainProgram clReleaseProgram clGetProgramInfo
        CL_PROGRAM_REFERENCE_COUNT;
    Kernel "kernel" CL_INVALID_KERNEL clRetainKernel clReleaseKernel clGetKernelInfo
        CL_KERNEL_REFERENCE_COUNT;
    Event "event" CL_INVALID_EVENT clRetainEvent clReleaseEvent clGetEventInfo
        CL_EVENT_REFERENCE_COUNT;
}

/// An object that was created in this round.
struct Record {
    kind: &'static str,
    /// Queries the object; returns the code.
    ask: fn(*mut c_void) -> cl_int,
    invalid: cl_int,
    handle: usize,
}

static RECORDS: Mutex<Vec<Record>> = Mutex::new(Vec::new());

/// Whether handles of destroyed objects may be queried. The specification does not allow it; MOCL3
/// returns the code for an invalid handle.
static STALE_HANDLES: AtomicBool = AtomicBool::new(false);

/// Maximum number of objects in one round. MOCL3 recognises a handle of a destroyed object until
/// its address has been reused, at the earliest after 65,536 other objects.
pub const MOST_IN_A_ROUND: usize = 50_000;

/// Sets whether destroyed objects are checked by querying their handles.
pub fn ask_stale_handles(may: bool) {
    STALE_HANDLES.store(may, Ordering::Relaxed);
}

/// Number of objects created since the last call of `all_gone`.
pub fn made_in_this_round() -> usize {
    RECORDS.lock().len()
}

/// Waits until all objects created since the last call are destroyed. Returns their numbers by
/// kind. The watchdog ends a wait that takes too long.
///
/// # Errors
/// An object still exists after `patience`.
pub fn all_gone(patience: Duration) -> Result<BTreeMap<&'static str, usize>> {
    let records = std::mem::take(&mut *RECORDS.lock());
    let mut made = BTreeMap::new();
    for record in &records {
        *made.entry(record.kind).or_default() += 1;
    }
    if !STALE_HANDLES.load(Ordering::Relaxed) {
        return Ok(made);
    }
    let deadline = std::time::Instant::now() + patience;
    let mut left: Vec<&Record> = records.iter().collect();
    loop {
        left.retain(|record| {
            let handle = std::ptr::with_exposed_provenance_mut(record.handle);
            (record.ask)(handle) != record.invalid
        });
        if left.is_empty() {
            return Ok(made);
        }
        if std::time::Instant::now() > deadline {
            let mut by_kind = BTreeMap::<_, usize>::new();
            for record in &left {
                *by_kind.entry(record.kind).or_default() += 1;
            }
            bail!("objects without references still exist: {by_kind:?}");
        }
        // Threads of the platform may still hold references.
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// One reference to an object.
pub struct Object<K: Kind> {
    handle: *mut c_void,
    kind: PhantomData<K>,
}

// SAFETY: a handle is a number to us, and OpenCL's functions are safe under threads
// (OpenCL 1.2, A.2), those on kernels' arguments excepted, which callers keep apart.
unsafe impl<K: Kind> Send for Object<K> {}
// SAFETY: as above.
unsafe impl<K: Kind> Sync for Object<K> {}

impl<K: Kind> Object<K> {
    /// Takes the reference that a call returned which created the object. Null is a failure of that
    /// call.
    pub fn new(handle: *mut c_void) -> Self {
        failure::note_unless(!handle.is_null(), || format!("a {} is null", K::NAME));
        RECORDS.lock().push(Record {
            kind: K::NAME,
            ask: |handle| K::reference_count(handle, &mut 0),
            invalid: K::INVALID,
            handle: handle.expose_provenance(),
        });
        Self {
            handle,
            kind: PhantomData,
        }
    }

    /// Retains an object that other code holds, for example a callback's argument.
    ///
    /// # Errors
    /// `clRetain…`'s.
    pub fn retained(handle: *mut c_void) -> Result<Self> {
        check("clRetain…", K::retain(handle))?;
        Ok(Self {
            handle,
            kind: PhantomData,
        })
    }

    /// The handle. It is valid while `self` exists.
    pub fn get(&self) -> *mut c_void {
        self.handle
    }

    /// The reference count.
    ///
    /// # Errors
    /// The query fails.
    pub fn references(&self) -> Result<u32> {
        let mut count = 0;
        check("clGet…Info", K::reference_count(self.handle, &mut count))?;
        Ok(count)
    }

    /// Retains the object `times` times and releases it as often. If `alone`, no other code may
    /// change the reference count, which is then checked.
    ///
    /// # Errors
    /// The count is wrong, or a call fails.
    pub fn count_up_and_down(&self, times: u32, alone: bool) -> Result<()> {
        let before = self.references()?;
        let held: Vec<_> = (0..times).map(|_| self.clone()).collect();
        let more = self.references()?;
        drop(held);
        let after = self.references()?;
        ensure!(
            !alone || (more == before + times && after == before),
            "the reference count of a {} went {before}, {more}, {after} for {times}",
            K::NAME
        );
        Ok(())
    }
}

impl<K: Kind> Clone for Object<K> {
    fn clone(&self) -> Self {
        let code = K::retain(self.handle);
        failure::note_unless(code == CL_SUCCESS, || {
            format!("clRetain… of a {}: {code}", K::NAME)
        });
        Self {
            handle: self.handle,
            kind: PhantomData,
        }
    }
}

impl<K: Kind> Drop for Object<K> {
    fn drop(&mut self) {
        let code = K::release(self.handle);
        failure::note_unless(code == CL_SUCCESS, || {
            format!("clRelease… of a {}: {code}", K::NAME)
        });
    }
}
