//! What the program's actions do that handlers of ours replace.

use libc::{c_int, c_void, siginfo_t};
use std::ptr::null_mut;

/// Does what the program's action would do.
///
/// # Safety
/// The arguments are those of the handler, the action is one of the program's.
pub unsafe fn pass_on(
    action: &libc::sigaction,
    number: c_int,
    info: *mut siginfo_t,
    context: *mut c_void,
) {
    let has_information = action.sa_flags & libc::SA_SIGINFO != 0;
    // SAFETY: as promised.
    let is_sent = unsafe { (*info).si_code } <= 0;
    if !has_information && action.sa_sigaction == libc::SIG_IGN && is_sent {
        return;
    }
    if !has_information && [libc::SIG_DFL, libc::SIG_IGN].contains(&action.sa_sigaction) {
        set_default(number);
        // A faulting instruction faults again on return; other signals have to be raised.
        if is_sent || number == libc::SIGTRAP {
            // SAFETY: delivered when this handler returns.
            unsafe { libc::raise(number) };
        }
        return;
    }
    // SAFETY: as promised.
    unsafe { call_program(action, number, info, context) };
}

/// Calls the program's handler, if it has one.
///
/// # Safety
/// As `pass_on`.
pub(super) unsafe fn call_program(
    action: &libc::sigaction,
    number: c_int,
    info: *mut siginfo_t,
    context: *mut c_void,
) {
    let has_information = action.sa_flags & libc::SA_SIGINFO != 0;
    if !has_information && [libc::SIG_DFL, libc::SIG_IGN].contains(&action.sa_sigaction) {
        return;
    }
    if action.sa_flags & libc::SA_RESETHAND != 0 {
        set_default(number);
    }
    // SAFETY: the sets are valid; the program's handler has the type that its flags say.
    unsafe {
        libc::pthread_sigmask(libc::SIG_BLOCK, &action.sa_mask, null_mut());
        if action.sa_flags & libc::SA_NODEFER != 0
            && libc::sigismember(&action.sa_mask, number) == 0
        {
            let mut itself = std::mem::zeroed();
            libc::sigemptyset(&mut itself);
            libc::sigaddset(&mut itself, number);
            libc::pthread_sigmask(libc::SIG_UNBLOCK, &itself, null_mut());
        }
        if has_information {
            let handler: unsafe extern "C" fn(c_int, *mut siginfo_t, *mut c_void) =
                std::mem::transmute(action.sa_sigaction);
            handler(number, info, context);
        } else {
            let handler: unsafe extern "C" fn(c_int) = std::mem::transmute(action.sa_sigaction);
            handler(number);
        }
    }
}

/// Sets the default action.
pub(super) fn set_default(number: c_int) {
    // SAFETY: the default action needs nothing.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = libc::SIG_DFL;
        libc::sigaction(number, &action, null_mut());
    }
}
