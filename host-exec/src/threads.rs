//! Starts the platform's threads, with asynchronous signals blocked.
//!
//! Otherwise a program that blocks a signal and waits for it with `sigwait` would be killed if the
//! signal were delivered to a thread of the platform, and handlers could run on threads unknown to
//! the program. Synchronous signals, which report a fault of the thread itself, are not blocked:
//! they would end the process without running the program's handler.

use crate::floating_point::in_default_environment;
use crate::stack;
use std::cell::Cell;
use std::io;
use std::panic::resume_unwind;
use std::thread::Builder;
use std::time::Duration;

/// Signals that a thread causes itself (POSIX.1-2017, 2.4.1).
const SYNCHRONOUS: [libc::c_int; 7] = [
    libc::SIGABRT,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGSEGV,
    libc::SIGSYS,
    libc::SIGTRAP,
];

/// Starts a detached thread with asynchronous signals blocked and the default floating-point
/// environment. `stack` is in bytes; without it, the standard library's default.
///
/// # Errors
/// The system starts no thread. `body` is dropped.
pub fn start(
    name: &str,
    stack: Option<usize>,
    body: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let mut builder = Builder::new().name(name.to_owned());
    if let Some(bytes) = stack {
        builder = builder.stack_size(bytes);
    }
    // A new thread inherits both from the one that starts it.
    let _blocked = Blocked::begin();
    in_default_environment(|| builder.spawn(body)).map(drop)
}

/// Processor time that this thread has used; zero if the system does not know.
pub(crate) fn processor_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes to `time` only.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The system starts no thread with that many bytes of stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the host has no thread with {0} bytes of stack")]
pub struct NoStack(pub usize);

/// Runs `body` with a stack of at least `bytes`: on this thread, or if it has less left, on another
/// one that it waits for.
///
/// # Errors
/// `NoStack`. `body` is dropped.
pub fn with_stack<R: Send>(bytes: usize, body: impl FnOnce() -> R + Send) -> Result<R, NoStack> {
    if stack::remaining() >= bytes {
        return Ok(body());
    }
    std::thread::scope(|scope| {
        let builder = Builder::new().name("mocl3-stack".to_owned());
        let blocked = Blocked::begin();
        let started =
            in_default_environment(|| builder.stack_size(bytes).spawn_scoped(scope, body));
        drop(blocked);
        let thread = started.map_err(|_| NoStack(bytes))?;
        thread.join().map_or_else(|panic| resume_unwind(panic), Ok)
    })
}

thread_local! {
    static ENDS: Cell<bool> = const { Cell::new(false) };
}

/// Notes that the host program has called `pthread_exit` on this thread. A thread of the platform
/// ends after its current work.
pub fn request_end() {
    ENDS.set(true);
}

/// Whether this thread has to end.
pub fn end_is_requested() -> bool {
    ENDS.get()
}

/// Blocks asynchronous signals in this thread until it is dropped.
struct Blocked {
    before: libc::sigset_t,
}

impl Blocked {
    fn begin() -> Self {
        // SAFETY: a signal set is plain bytes, which `sigfillset` and `pthread_sigmask` fill;
        // with valid sets these functions do not fail.
        unsafe {
            let (mut signals, mut before) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigfillset(&mut signals);
            for signal in SYNCHRONOUS {
                libc::sigdelset(&mut signals, signal);
            }
            libc::pthread_sigmask(libc::SIG_BLOCK, &signals, &mut before);
            Self { before }
        }
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        // SAFETY: the set that `begin` was given.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, std::ptr::null_mut()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn blocked() -> Vec<libc::c_int> {
        // SAFETY: queries this thread's mask.
        let mask = unsafe {
            let mut mask = std::mem::zeroed();
            libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), &mut mask);
            mask
        };
        let is_blocked = |signal: &libc::c_int| {
            // SAFETY: the mask is initialised.
            unsafe { libc::sigismember(&mask, *signal) == 1 }
        };
        (1..=31).filter(is_blocked).collect()
    }

    #[test]
    fn work_gets_the_stack_that_it_needs() {
        let here = std::thread::current().id();
        let thread = || std::thread::current().id();
        assert_eq!(with_stack(1 << 10, thread).unwrap(), here);
        let (thread, left) = with_stack(1 << 30, || (thread(), stack::remaining())).unwrap();
        assert!(thread != here && left > 1 << 29);
        let panics = || with_stack(1 << 30, || panic!("a test's"));
        assert!(std::panic::catch_unwind(panics).is_err());
        assert_eq!(with_stack(1 << 60, || ()), Err(NoStack(1 << 60)));
    }

    #[test]
    fn a_thread_has_all_but_its_own_faults_blocked() {
        let before = blocked();
        let (sender, receiver) = mpsc::channel();
        start("test", None, move || sender.send(blocked()).unwrap()).unwrap();
        let unblocked = [SYNCHRONOUS.as_slice(), &[libc::SIGKILL, libc::SIGSTOP]].concat();
        let expected: Vec<_> = (1..=31).filter(|n| !unblocked.contains(n)).collect();
        assert_eq!(receiver.recv().unwrap(), expected);
        assert_eq!(blocked(), before);
    }
}
