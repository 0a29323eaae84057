//! The work-group that each thread executes, for the handler of faults.

use crate::launch::Launch;
use crate::signals::alternate_stack::AlternateStack;
use crate::time_limit::abandonable_call::Resumption;
use crate::work_group::WorkGroupContext;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null;
use std::sync::atomic::{AtomicI64, Ordering};

/// A launch, and its group that a thread executes now.
pub(crate) struct RunningGroup<'a> {
    pub launch: &'a Launch<'a>,
    /// Of the executing code, which changes its group id.
    pub context: *const WorkGroupContext,
    /// How to end the call of its code.
    pub resumption: Resumption,
}

/// What is kept for a thread that has executed a kernel.
struct Record {
    running: Cell<*const RunningGroup<'static>>,
    _stack: Option<AlternateStack>,
}

/// The key of the threads' records, not thread-local storage: a handler on a thread without it
/// would allocate it. Negative before `prepare`, and if the process has no key left.
static KEY: AtomicI64 = AtomicI64::new(-1);

/// Has to be called before the first group is executed.
pub(super) fn prepare() {
    unsafe extern "C" fn end_thread(record: *mut c_void) {
        // SAFETY: `record` made it for this thread, which has no use of it any more.
        drop(unsafe { Box::from_raw(record.cast::<Record>()) });
    }
    let mut key = 0;
    // SAFETY: the destructor fits the values; this library is never unloaded.
    if unsafe { libc::pthread_key_create(&mut key, Some(end_thread)) } == 0 {
        KEY.store(key.into(), Ordering::Release);
    }
}

/// This thread's record if it has one.
fn existing_record() -> Option<&'static Record> {
    let key = libc::pthread_key_t::try_from(KEY.load(Ordering::Acquire)).ok()?;
    // SAFETY: the key exists; its values are records that live as long as their threads.
    unsafe { libc::pthread_getspecific(key).cast::<Record>().as_ref() }
}

#[cold]
fn new_record() -> Option<&'static Record> {
    let key = libc::pthread_key_t::try_from(KEY.load(Ordering::Acquire)).ok()?;
    let record = Box::into_raw(Box::new(Record {
        running: Cell::new(null()),
        _stack: AlternateStack::install(),
    }));
    // SAFETY: as for `existing_record`; a record that is not stored is used by nothing else.
    unsafe {
        if libc::pthread_setspecific(key, record.cast()) != 0 {
            drop(Box::from_raw(record));
            return None;
        }
        Some(&*record)
    }
}

/// The thread executes groups of a launch until this is dropped.
pub(crate) struct Mark<'a> {
    record: Option<&'static Record>,
    before: *const RunningGroup<'static>,
    _running: &'a RunningGroup<'a>,
}

impl<'a> Mark<'a> {
    /// Marks the thread as executing that group.
    pub fn set(running: &'a RunningGroup<'a>) -> Self {
        let record = existing_record().or_else(new_record);
        let here = std::ptr::from_ref(running).cast::<RunningGroup<'static>>();
        Self {
            record,
            before: record.map_or(null(), |record| record.running.replace(here)),
            _running: running,
        }
    }
}

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        if let Some(record) = self.record {
            record.running.set(self.before);
        }
    }
}

/// Calls `body` with what this thread executes, if it does. Meanwhile the thread counts as outside
/// kernels. For signal handlers.
pub(super) fn with_current<R>(body: impl FnOnce(Option<&RunningGroup<'_>>) -> R) -> R {
    let Some(record) = existing_record() else {
        return body(None);
    };
    let running = record.running.replace(null());
    // SAFETY: what is marked outlives its mark, which this thread holds below its handler.
    let result = body(unsafe { running.as_ref() });
    record.running.set(running);
    result
}
