//! The handler of faults: reports those in kernels, and passes all of them on.

use crate::launch::CodeAddresses;
use crate::process_lifecycle;
use crate::signals::call_stack;
use crate::signals::passing_on::pass_on;
use crate::signals::polling;
use crate::signals::report::{Access, AccessKind, Fault, compose};
use crate::signals::running_group::{self, RunningGroup};
use crate::signals::source_place;
use libc::{c_int, c_void, siginfo_t, ucontext_t};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};

/// A signal by which the system reports a fault.
struct Signal {
    number: c_int,
    name: &'static str,
    meaning: &'static str,
    /// Whether it comes with the address that was accessed.
    has_address: bool,
}

const SIGNALS: [Signal; 5] = [
    Signal {
        number: libc::SIGSEGV,
        name: "SIGSEGV",
        meaning: "an access to memory that is not mapped or not accessible",
        has_address: true,
    },
    Signal {
        number: libc::SIGBUS,
        name: "SIGBUS",
        meaning: "an access to memory that does not exist",
        has_address: true,
    },
    Signal {
        number: libc::SIGFPE,
        name: "SIGFPE",
        meaning: "an arithmetic exception",
        has_address: false,
    },
    Signal {
        number: libc::SIGILL,
        name: "SIGILL",
        meaning: "an illegal instruction or a trap",
        has_address: false,
    },
    Signal {
        number: libc::SIGTRAP,
        name: "SIGTRAP",
        meaning: "a trap",
        has_address: false,
    },
];

/// The number of the exception of `int3` (Intel SDM, volume 3, table 6-1).
const BREAKPOINT: i64 = 3;

/// The actions of the program that ours replace.
struct Replaced([UnsafeCell<MaybeUninit<libc::sigaction>>; SIGNALS.len()]);

// SAFETY: each is written once, before the handler that reads it is installed.
unsafe impl Sync for Replaced {}

static REPLACED: Replaced =
    Replaced([const { UnsafeCell::new(MaybeUninit::zeroed()) }; SIGNALS.len()]);

/// Installs the handler. Not to be called twice: it would pass signals on to itself.
pub(super) fn install() {
    for (signal, replaced) in SIGNALS.iter().zip(&REPLACED.0) {
        // SAFETY: the current action is stored before the handler can read it; the handler has the
        // type that `SA_SIGINFO` demands.
        unsafe {
            let current = (*replaced.get()).as_mut_ptr();
            if libc::sigaction(signal.number, std::ptr::null(), current) != 0 {
                continue;
            }
            let mut ours: libc::sigaction = std::mem::zeroed();
            ours.sa_sigaction = handle as *const () as usize;
            // Interrupted calls restart if they do with the program's action.
            ours.sa_flags =
                libc::SA_SIGINFO | libc::SA_ONSTACK | ((*current).sa_flags & libc::SA_RESTART);
            libc::sigaction(signal.number, &ours, null_mut());
        }
    }
}

unsafe extern "C" fn handle(number: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: errno is the thread's own.
    let error = unsafe { *libc::__errno_location() };
    let Some(place) = SIGNALS.iter().position(|signal| signal.number == number) else {
        return;
    };
    running_group::with_current(|running| {
        // SAFETY: the system gives a valid description, which `pass_on` needs unchanged.
        unsafe {
            if let Some(running) = running.filter(|_| !process_lifecycle::forked()) {
                report(&SIGNALS[place], &*info, &*context.cast(), running);
            }
            let action = (*REPLACED.0[place].get()).assume_init_read();
            pass_on(&action, number, info, context);
        }
    });
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = error };
}

/// Reports a fault of this thread. A signal that it sends to itself is one that another handler,
/// called before this one, has raised again.
///
/// # Safety
/// `info` is the system's description of the signal, `context` the interrupted state.
unsafe fn report(
    signal: &Signal,
    info: &siginfo_t,
    context: &ucontext_t,
    running: &RunningGroup<'_>,
) {
    let is_fault = info.si_code > 0;
    // SAFETY: signals that are sent have a sender.
    let is_raised_again =
        info.si_code == libc::SI_TKILL && unsafe { info.si_pid() == libc::getpid() };
    if !is_fault && !is_raised_again {
        return;
    }
    // The processor gives no address if it is not canonical.
    let has_address = is_fault && signal.has_address && info.si_code != libc::SI_KERNEL;
    let fault = Fault {
        signal: signal.name,
        meaning: signal.meaning,
        access: has_address.then(|| Access {
            // SAFETY: faults have an address.
            address: unsafe { info.si_addr() }.addr(),
            kind: access_kind(context),
        }),
    };
    once_per_launch(running.launch.number, || {
        compose(&fault, running).print();
        if let Some(address) = kernel_address(context, running.launch.code)
            && let Some(lookup) = running.launch.kernel.source_lookup()
        {
            source_place::print(lookup, address);
        }
    });
}

/// The address of the kernel's instruction that has faulted or called what has.
fn kernel_address(context: &ucontext_t, code: CodeAddresses) -> Option<usize> {
    let registers = &context.uc_mcontext.gregs;
    let address = registers[libc::REG_RIP as usize] as usize;
    // After a breakpoint it is that of the next instruction.
    let is_next = registers[libc::REG_TRAPNO as usize] == BREAKPOINT;
    let address = address.wrapping_sub(usize::from(is_next));
    match code.contains(address) {
        true => Some(address),
        false => call_stack::caller_in(code),
    }
}

/// What kind of access has faulted, from the error code of a page fault (Intel SDM, volume 3,
/// section 5.7); other exceptions have none.
fn access_kind(context: &ucontext_t) -> AccessKind {
    const PAGE_FAULT: i64 = 14;
    const WRITE: i64 = 1 << 1;
    const INSTRUCTION_FETCH: i64 = 1 << 4;
    let registers = &context.uc_mcontext.gregs;
    let error = registers[libc::REG_ERR as usize];
    if registers[libc::REG_TRAPNO as usize] != PAGE_FAULT {
        AccessKind::Unknown
    } else if error & INSTRUCTION_FETCH != 0 {
        AccessKind::Execution
    } else if error & WRITE != 0 {
        AccessKind::Write
    } else {
        AccessKind::Read
    }
}

/// Calls `print` unless another thread has for this launch or a later one; returns once that has
/// been printed.
fn once_per_launch(number: u64, print: impl FnOnce()) {
    /// Largest number of a launch whose report was begun, or has been printed.
    static BEGUN: AtomicU64 = AtomicU64::new(0);
    static PRINTED: AtomicU64 = AtomicU64::new(0);
    /// How long it waits for the other thread, which may be stopped, milliseconds.
    const PATIENCE: u32 = 2 * source_place::PATIENCE;
    if BEGUN.fetch_max(number, Ordering::AcqRel) < number {
        print();
        PRINTED.fetch_max(number, Ordering::Release);
        return;
    }
    polling::wait(PATIENCE, || PRINTED.load(Ordering::Acquire) >= number);
}
