//! The handler that ends work-groups of launches that run for too long (`MOCL3_TIMEOUT`).

use crate::process_lifecycle;
use crate::signals::passing_on;
use crate::signals::running_group::{self, RunningGroup};
use crate::time_limit::SIGNAL;
use libc::{c_int, c_void, siginfo_t, ucontext_t};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

/// The action of the program that ours replaces.
struct Replaced(UnsafeCell<MaybeUninit<libc::sigaction>>);

// SAFETY: it is written once, before the handler that reads it is installed.
unsafe impl Sync for Replaced {}

static REPLACED: Replaced = Replaced(UnsafeCell::new(MaybeUninit::zeroed()));

/// Installs the handler. Not to be called twice: it would pass signals on to itself.
pub(super) fn install() {
    // SAFETY: the current action is stored before the handler can read it; the handler has the type
    // that `SA_SIGINFO` demands.
    unsafe {
        if libc::sigaction(SIGNAL, std::ptr::null(), (*REPLACED.0.get()).as_mut_ptr()) != 0 {
            return;
        }
        let mut ours: libc::sigaction = std::mem::zeroed();
        ours.sa_sigaction = handle as *const () as usize;
        ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
        libc::sigaction(SIGNAL, &ours, null_mut());
    }
}

unsafe extern "C" fn handle(number: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes the interrupted state.
    let state = unsafe { &mut *context.cast::<ucontext_t>() };
    let is_ours = running_group::with_current(|running| {
        let running = running.filter(|_| !process_lifecycle::forked());
        running.is_some_and(|running| end(running, state))
    });
    // SAFETY: as the system passed them.
    unsafe {
        // A signal of the watchdog comes from this process.
        if !is_ours && (*info).si_code != libc::SI_TKILL {
            let action = (*REPLACED.0.get()).assume_init_read();
            passing_on::call_program(&action, number, info, context);
        }
    }
}

/// Ends the group if its launch has exceeded its limit and the thread is in compiled code; in other
/// code it may hold locks. Whether it does.
fn end(running: &RunningGroup<'_>, state: &mut ucontext_t) -> bool {
    let at = state.uc_mcontext.gregs[libc::REG_RIP as usize] as usize;
    let is_due = running
        .launch
        .limit
        .is_some_and(|limit| limit.is_exceeded());
    if is_due && running.launch.has_code_at(at) {
        // SAFETY: the code at this address is the call's.
        unsafe { running.resumption.resume(state) };
        return true;
    }
    false
}
