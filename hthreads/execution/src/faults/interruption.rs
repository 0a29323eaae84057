//! Stops threads of a cluster that closes while they request nothing, for example since they are in an endless loop: a
//! signal to the host threads that run them. Code in assembly looks at branches whether its cluster closes.

use super::redirection::{self, INTERRUPTION};
use crate::device_thread;
use libc::{c_int, c_void, siginfo_t, ucontext_t};
use parking_lot::Mutex;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};

/// Clusters that close, a bit for each.
static CLOSING: AtomicU64 = AtomicU64::new(0);

/// Host threads that run threads of clusters.
static HOST_THREADS: Mutex<Vec<libc::pthread_t>> = Mutex::new(Vec::new());

/// The action that ours replaces while clusters close.
static REPLACED: Mutex<Option<libc::sigaction>> = Mutex::new(None);

fn bit(cluster: u32) -> u64 {
    1 << (cluster % u64::BITS)
}

/// Whether a cluster closes, and its threads have had the time to request something. For signal handlers.
pub fn is_closing(cluster: u32) -> bool {
    CLOSING.load(Ordering::Relaxed) & bit(cluster) != 0
}

/// A host thread that runs threads of clusters, until this is dropped on it.
pub struct HostThread(libc::pthread_t);

impl HostThread {
    /// The calling thread, which takes the signal from now on.
    pub fn register() -> Self {
        // SAFETY: the set is initialised before it is used.
        let thread = unsafe {
            let mut signals = MaybeUninit::uninit();
            libc::sigemptyset(signals.as_mut_ptr());
            libc::sigaddset(signals.as_mut_ptr(), INTERRUPTION);
            libc::pthread_sigmask(libc::SIG_UNBLOCK, signals.as_ptr(), std::ptr::null_mut());
            libc::pthread_self()
        };
        HOST_THREADS.lock().push(thread);
        Self(thread)
    }
}

impl Drop for HostThread {
    fn drop(&mut self) {
        HOST_THREADS.lock().retain(|thread| *thread != self.0);
    }
}

/// A cluster whose threads are stopped wherever they are, until this is dropped.
pub struct Interruption {
    cluster: u32,
}

impl Interruption {
    /// Begins to stop the threads of a cluster.
    pub fn begin(cluster: u32) -> Self {
        let mut replaced = REPLACED.lock();
        CLOSING.fetch_or(bit(cluster), Ordering::Relaxed);
        if replaced.is_none() {
            // SAFETY: the handler has the type that `SA_SIGINFO` demands; both actions are initialised.
            unsafe {
                let mut before: libc::sigaction = std::mem::zeroed();
                let mut ours: libc::sigaction = std::mem::zeroed();
                ours.sa_sigaction = handle as *const () as usize;
                ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
                libc::sigemptyset(&raw mut ours.sa_mask);
                if libc::sigaction(INTERRUPTION, &raw const ours, &raw mut before) == 0 {
                    *replaced = Some(before);
                }
            }
        }
        Self { cluster }
    }

    /// Stops those of its threads that are in device code at present.
    pub fn interrupt(&self) {
        for thread in &*HOST_THREADS.lock() {
            // SAFETY: a thread takes itself off the list before it ends.
            unsafe { libc::pthread_kill(*thread, INTERRUPTION) };
        }
    }
}

impl Drop for Interruption {
    fn drop(&mut self) {
        let mut replaced = REPLACED.lock();
        let left = CLOSING.fetch_and(!bit(self.cluster), Ordering::Relaxed) & !bit(self.cluster);
        if left == 0
            && let Some(before) = replaced.take()
        {
            // SAFETY: the action that `begin` replaced.
            unsafe { libc::sigaction(INTERRUPTION, &raw const before, std::ptr::null_mut()) };
        }
    }
}

/// Halts the thread that is interrupted. In the library's own functions, and in those of others that device code
/// calls, it is not: they may hold locks.
extern "C" fn handle(signal: c_int, _: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes it.
    let context = unsafe { &mut *context.cast::<ucontext_t>() };
    let at = context.uc_mcontext.gregs[libc::REG_RIP as usize] as usize;
    if let Some(thread) = device_thread::running()
        && is_closing(thread.group.cluster())
        && thread.code.contains(at)
    {
        redirection::redirect(thread, signal, 0, context);
    }
}
