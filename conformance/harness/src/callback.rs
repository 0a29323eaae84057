//! Closures as OpenCL's callbacks: each must be called exactly once.

use crate::{failure, watchdog};
use anyhow::{Result, bail};
use cl_sys::{cl_event, cl_int, cl_mem, cl_program};
use parking_lot::{Condvar, Mutex};
use std::collections::HashMap;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A closure with the arguments that OpenCL passes: a handle, and a status or 0.
type Closure = Box<dyn FnOnce(*mut c_void, cl_int) + Send>;

static NEXT: AtomicUsize = AtomicUsize::new(1);
static PENDING: Mutex<Option<HashMap<usize, (&'static str, Closure)>>> = Mutex::new(None);

/// The user data of a callback that has not been called yet.
pub fn user_data(
    kind: &'static str,
    closure: impl FnOnce(*mut c_void, cl_int) + Send + 'static,
) -> *mut c_void {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut pending = PENDING.lock();
    let pending = pending.get_or_insert_default();
    pending.insert(number, (kind, Box::new(closure)));
    std::ptr::without_provenance_mut(number)
}

/// Frees the closure of a callback that could not be registered.
pub fn forget(user_data: *mut c_void) {
    take(user_data.addr());
}

fn take(number: usize) -> Option<(&'static str, Closure)> {
    let mut pending = PENDING.lock();
    pending.as_mut().and_then(|pending| pending.remove(&number))
}

fn call(user_data: *mut c_void, handle: *mut c_void, status: cl_int) {
    let Some((kind, closure)) = take(user_data.addr()) else {
        failure::note("a callback was called twice, or with other user data".to_owned());
        return;
    };
    let _waiting = watchdog::waiting(kind);
    // A panic must not unwind through the platform's code.
    if catch_unwind(AssertUnwindSafe(|| closure(handle, status))).is_err() {
        failure::note(format!("{kind} panicked"));
    }
}

/// For `clSetEventCallback`.
pub extern "C" fn event(event: cl_event, status: cl_int, user_data: *mut c_void) {
    call(user_data, event, status);
}

/// For `clBuildProgram`, `clCompileProgram` and `clLinkProgram`.
pub extern "C" fn program(program: cl_program, user_data: *mut c_void) {
    call(user_data, program, 0);
}

/// For `clSetMemObjectDestructorCallback`.
pub extern "C" fn memory(memory: cl_mem, user_data: *mut c_void) {
    call(user_data, memory, 0);
}

/// The arguments of a native kernel: its closure, and the address of its buffer, which the platform
/// stores.
#[repr(C)]
pub struct NativeArguments {
    /// The address of the closure; the platform copies the bytes of the arguments.
    pub user_data: *mut c_void,
    /// A `cl_mem` when the command is enqueued, the buffer's address when it runs.
    pub buffer: *mut c_void,
}

/// For `clEnqueueNativeKernel`, given `NativeArguments`.
pub extern "C" fn native(arguments: *mut c_void) {
    // SAFETY: all native kernels are enqueued with such arguments.
    let arguments = unsafe { arguments.cast::<NativeArguments>().read_unaligned() };
    call(arguments.user_data, arguments.buffer, 0);
}

/// Waits until every callback has been called.
///
/// # Errors
/// A callback was not called within `patience`.
pub fn all_called(patience: Duration) -> Result<()> {
    let deadline = Instant::now() + patience;
    loop {
        let mut kinds: Vec<&str> = {
            let pending = PENDING.lock();
            let pending = pending.iter().flat_map(|pending| pending.values());
            pending.map(|(kind, _)| *kind).collect()
        };
        if kinds.is_empty() {
            return Ok(());
        }
        if Instant::now() > deadline {
            let count = kinds.len();
            kinds.sort_unstable();
            kinds.dedup();
            bail!("{count} callbacks were never called: {kinds:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A counter that counts down to 0; threads can wait for that.
#[derive(Clone)]
pub struct Latch(Arc<(Mutex<usize>, Condvar)>);

impl Latch {
    /// A counter that starts at `count`.
    pub fn new(count: usize) -> Self {
        Self(Arc::new((Mutex::new(count), Condvar::new())))
    }

    /// Counts down by one.
    pub fn count_down(&self) {
        let mut count = self.0.0.lock();
        *count -= 1;
        if *count == 0 {
            self.0.1.notify_all();
        }
    }

    /// Waits until the counter is 0.
    ///
    /// # Errors
    /// The counter is not 0 after `patience`.
    pub fn wait_for(&self, what: &str, patience: Duration) -> Result<()> {
        let deadline = Instant::now() + patience;
        let mut count = self.0.0.lock();
        while *count > 0 {
            if self.0.1.wait_until(&mut count, deadline).timed_out() {
                bail!("{count} of {what} missing after {patience:?}");
            }
        }
        Ok(())
    }

    /// Waits until the counter is 0; the watchdog limits the time.
    pub fn wait(&self, what: &'static str) {
        let _waiting = watchdog::waiting(what);
        let mut count = self.0.0.lock();
        while *count > 0 {
            self.0.1.wait(&mut count);
        }
    }
}
