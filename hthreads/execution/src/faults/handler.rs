//! The handler of signals. It allocates nothing and takes no locks.

use super::{own_code, redirection};
use crate::device_thread;
use host_exec::signals::passing_on;
use libc::{c_int, c_void, siginfo_t, ucontext_t};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;

/// The signals by which the system reports faults.
const SIGNALS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];

/// The actions of the program that ours replace.
struct Replaced([UnsafeCell<MaybeUninit<libc::sigaction>>; SIGNALS.len()]);

// SAFETY: each is written once, before the handler that reads it is installed.
unsafe impl Sync for Replaced {}

static REPLACED: Replaced =
    Replaced([const { UnsafeCell::new(MaybeUninit::zeroed()) }; SIGNALS.len()]);

/// Installs the handler. Not to be called twice: it would pass signals on to itself.
pub fn install() {
    for (signal, replaced) in SIGNALS.iter().zip(&REPLACED.0) {
        // SAFETY: the current action is stored before the handler can read it; the handler has the
        // type that `SA_SIGINFO` demands.
        unsafe {
            if libc::sigaction(*signal, std::ptr::null(), (*replaced.get()).as_mut_ptr()) != 0 {
                continue;
            }
            let mut ours: libc::sigaction = std::mem::zeroed();
            ours.sa_sigaction = handle as *const () as usize;
            ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut ours.sa_mask);
            libc::sigaction(*signal, &raw const ours, std::ptr::null_mut());
        }
    }
}

extern "C" fn handle(signal: c_int, information: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes both.
    let (address, context_now) = unsafe {
        (
            (*information).si_addr() as usize,
            &mut *context.cast::<ucontext_t>(),
        )
    };
    if let Some(thread) = device_thread::running() {
        let at = context_now.uc_mcontext.gregs[libc::REG_RIP as usize] as usize;
        let accesses = thread.is_transferring.get() || thread.is_accessing.get();
        let is_of_device = accesses || !own_code::contains(at);
        if is_of_device && redirection::redirect(thread, signal, address, context_now) {
            return;
        }
    }
    pass_on(signal, information, context);
}

/// Does what would be done without this handler.
fn pass_on(signal: c_int, information: *mut siginfo_t, context: *mut c_void) {
    let place = SIGNALS.iter().position(|one| *one == signal);
    let Some(replaced) = place.map(|place| &REPLACED.0[place]) else {
        return;
    };
    // SAFETY: the action was written before the handler was installed, and is the program's; the other
    // arguments are those of the handler.
    unsafe {
        let action = (*replaced.get()).assume_init_ref();
        passing_on::pass_on(action, signal, information, context);
    }
}
