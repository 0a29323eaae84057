//! Ctrl-C: names the launches that run before the process ends.

use crate::process_lifecycle;
use crate::signals::paragraph::Paragraph;
use crate::signals::passing_on::set_default;
use crate::signals::running_launches;
use libc::c_int;
use std::ptr::null_mut;

/// Installs the handler if the program has the default action, which ends the process.
pub(super) fn install() {
    // SAFETY: the handler has the type that the flags demand.
    unsafe {
        let mut current: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGINT, std::ptr::null(), &mut current) != 0
            || current.sa_sigaction != libc::SIG_DFL
        {
            return;
        }
        running_launches::read_from_now_on();
        let mut ours: libc::sigaction = std::mem::zeroed();
        ours.sa_sigaction = handle as *const () as usize;
        ours.sa_flags = libc::SA_ONSTACK | libc::SA_RESTART;
        libc::sigaction(libc::SIGINT, &ours, null_mut());
    }
}

unsafe extern "C" fn handle(number: c_int) {
    if !process_lifecycle::forked() {
        for launch in running_launches::running() {
            let mut text = Paragraph::new();
            text.add(format_args!(
                "MOCL3: interrupted while kernel `{}` runs: launch {} of the process, global size ",
                launch.name(),
                launch.number
            ));
            text.add_sizes(launch.global_size());
            text.add(format_args!(", local size "));
            text.add_sizes(launch.local_size());
            text.add(format_args!(".\n"));
            text.print();
        }
    }
    set_default(number);
    // SAFETY: ends the process when this handler returns.
    unsafe { libc::raise(number) };
}
