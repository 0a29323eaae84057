//! Runs the compiler where it cannot end the host program: on a guarded thread of its own
//! (`compiler-resources/shim/guard.cpp`), of which faults, aborts, an exhausted stack, LLVM's fatal errors and
//! missing memory end the compilation alone.

mod allocator;
mod limits;

use environment::{BUILD_MEMORY, BUILD_SECONDS};
pub use limits::Limits;
use std::any::Any;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

#[repr(C)]
struct Run {
    ending: c_int,
    number: c_int,
    stack_bytes: usize,
    text: [c_char; 1024],
}

unsafe extern "C" {
    fn mocl3_run_guarded(
        body: unsafe extern "C" fn(*mut c_void),
        data: *mut c_void,
        limits: *const Limits,
        run: *mut Run,
    );
    fn mocl3_is_guarded() -> bool;
    fn mocl3_check();
    fn mocl3_out_of_memory() -> bool;
}

/// Why a compilation ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The system gave no thread: its error.
    NoThread(String),
    /// The system has no memory left.
    NoMemory,
    /// The program is nested too deeply for a stack of that many bytes.
    StackExhausted(usize),
    /// clang, LLVM or our own passes raised this signal.
    Signal(i32),
    /// LLVM reported a fatal error with this message.
    FatalError(String),
    /// Our own passes panicked with this message.
    Panic(String),
    /// It took more than that many nanoseconds.
    TooLong(u64),
    /// The process grew by more than that many bytes.
    TooLarge(u64),
}

impl fmt::Display for Stopped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoThread(error) => {
                write!(formatter, "the system has no thread to compile on: {error}")
            }
            Self::NoMemory => write!(formatter, "the system has no memory left to compile"),
            Self::StackExhausted(bytes) => write!(
                formatter,
                "the program is nested too deeply for the compiler, whose stack of {} KiB \
                 is exhausted",
                bytes >> 10
            ),
            Self::Signal(signal) => {
                write!(formatter, "the compiler crashed (signal {signal})")
            }
            Self::FatalError(reason) => write!(formatter, "the compiler failed: {reason}"),
            Self::Panic(message) => write!(
                formatter,
                "the compiler failed: {message} (an error in the compiler)"
            ),
            Self::TooLong(nanoseconds) => write!(
                formatter,
                "compiling takes more than {} s, the limit of {BUILD_SECONDS}",
                Duration::from_nanos(*nanoseconds).as_secs_f64()
            ),
            Self::TooLarge(bytes) => write!(
                formatter,
                "compiling takes more than {bytes} bytes, the limit of {BUILD_MEMORY}"
            ),
        }
    }
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".into())
}

/// Runs `body` on a guarded thread, and waits for it. On a thread that is guarded already it
/// runs at once, and what stops it stops all that runs there.
///
/// Unless it returns or panics, nothing that it has made is dropped: it is not safe to touch.
///
/// # Errors
/// Why it did not return.
pub fn run<R: Send>(body: impl FnOnce() -> R + Send) -> Result<R, Stopped> {
    run_within(Limits::of_the_environment(), body)
}

/// As `run`, within limits.
///
/// # Errors
/// Why it did not return.
pub fn run_within<R: Send, F: FnOnce() -> R + Send>(limits: Limits, body: F) -> Result<R, Stopped> {
    struct Call<F, R> {
        body: Option<F>,
        result: Option<std::thread::Result<R>>,
    }
    unsafe extern "C" fn call<R, F: FnOnce() -> R>(data: *mut c_void) {
        // SAFETY: it is the call below, which waits and touches it no more until then.
        let call = unsafe { &mut *data.cast::<Call<F, R>>() };
        let body = call.body.take().expect("it runs once");
        call.result = Some(catch_unwind(AssertUnwindSafe(body)));
    }
    // SAFETY: the function only reads what is the thread's own.
    if unsafe { mocl3_is_guarded() } {
        return Ok(body());
    }
    let mut work = Call::<F, R> {
        body: Some(body),
        result: None,
    };
    let mut run = Run {
        ending: 0,
        number: 0,
        stack_bytes: 0,
        text: [0; 1024],
    };
    // SAFETY: `call` gets the call that it is made for; both outlive the thread. The frames of
    // a body that is stopped are never returned to.
    unsafe { mocl3_run_guarded(call::<R, F>, (&raw mut work).cast(), &limits, &mut run) };
    match (run.ending, work.result) {
        (0, Some(Ok(result))) => Ok(result),
        (0, Some(Err(panic))) => Err(Stopped::Panic(message(&*panic))),
        (1, _) => Err(match run.number {
            libc::ENOMEM => Stopped::NoMemory,
            error => Stopped::NoThread(io::Error::from_raw_os_error(error).to_string()),
        }),
        (3, _) => Err(Stopped::StackExhausted(run.stack_bytes)),
        (4, _) => Err(Stopped::NoMemory),
        (5, _) => {
            // SAFETY: the shim ends the text with NUL.
            let reason = unsafe { CStr::from_ptr(run.text.as_ptr()) };
            Err(Stopped::FatalError(reason.to_string_lossy().into_owned()))
        }
        (6, _) => Err(Stopped::TooLong(limits.nanoseconds)),
        (7, _) => Err(Stopped::TooLarge(limits.bytes)),
        _ => Err(Stopped::Signal(run.number)),
    }
}

/// Ends what runs guarded on this thread if a limit is exceeded. To be called between the steps
/// of a compilation, where no lock is held.
pub fn check() {
    // SAFETY: what runs guarded may be left here: nothing is held that others wait for.
    unsafe { mocl3_check() }
}

/// An allocation on this thread has failed. Whether it may be tried once more: on a guarded
/// thread memory was kept for that. If there is no hope, the compilation ends here.
fn out_of_memory() -> bool {
    // SAFETY: what runs guarded may be left at any allocation.
    unsafe { mocl3_out_of_memory() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_body_returns_comes_back() {
        let text = String::from("there");
        assert_eq!(run(|| text.len()), Ok(5));
        assert_eq!(run(|| run(|| 7)), Ok(Ok(7)));
    }

    #[test]
    fn a_panic_comes_back_with_its_message() {
        let stopped = run(|| panic!("lost {}", 3)).unwrap_err();
        assert_eq!(stopped, Stopped::Panic("lost 3".into()));
    }

    #[test]
    fn faults_end_the_body_alone() {
        // SAFETY: the guard keeps the signal to the thread.
        let signal = |number| run(move || unsafe { libc::raise(number) }).unwrap_err();
        for number in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGTRAP] {
            assert_eq!(signal(number), Stopped::Signal(number));
        }
        assert_eq!(
            run(|| std::process::abort()).unwrap_err(),
            Stopped::Signal(libc::SIGABRT)
        );
        assert_eq!(run(|| 1), Ok(1));
    }

    #[test]
    fn an_exhausted_stack_is_reported_wherever_it_ends() {
        #[allow(unconditional_recursion, reason = "the stack is to end")]
        fn deep(level: usize, allocate: bool) -> usize {
            let frame = std::hint::black_box([level; 16]);
            // Often the stack ends inside the allocator, whose locks must be free after.
            let held = allocate.then(|| vec![level; 3 + level % 64]);
            let below = deep(level + 1, allocate) + frame[level % 16];
            std::hint::black_box(held);
            below
        }
        for number in 0..60 {
            let stopped = run(move || deep(0, number % 2 == 0)).unwrap_err();
            assert!(matches!(stopped, Stopped::StackExhausted(_)), "{stopped:?}");
        }
    }

    #[test]
    fn limits_end_what_exceeds_them() {
        let forever = || {
            let mut held = Vec::new();
            loop {
                held.push(std::hint::black_box(vec![1u8; 1 << 16]));
                held.truncate(20_000);
                check();
            }
        };
        let limits = |nanoseconds, bytes| Limits { nanoseconds, bytes };
        let stopped = run_within::<(), _>(limits(20_000_000, 0), forever).unwrap_err();
        assert_eq!(stopped, Stopped::TooLong(20_000_000));
        let stopped = run_within::<(), _>(limits(0, 32 << 20), forever).unwrap_err();
        assert_eq!(stopped, Stopped::TooLarge(32 << 20));
        assert_eq!(run_within(limits(60_000_000_000, 1 << 40), check), Ok(()));
    }

    #[test]
    fn limits_interrupt_llvm_where_it_does_not_check() {
        for _ in 0..10 {
            let limits = Limits {
                nanoseconds: 1_000_000,
                bytes: 0,
            };
            let stopped = run_within::<(), _>(limits, || {
                loop {
                    std::hint::black_box(inkwell::context::Context::create());
                }
            });
            assert_eq!(stopped, Err(Stopped::TooLong(1_000_000)));
        }
    }

    #[test]
    fn memory_that_the_system_does_not_give_ends_the_body_alone() {
        let bytes = 1usize << 62;
        let held = run(|| std::hint::black_box(vec![1u8; bytes]).len());
        assert_eq!(held, Err(Stopped::NoMemory));
        assert_eq!(run(|| 1), Ok(1));
    }

    #[test]
    fn many_run_at_once() {
        std::thread::scope(|scope| {
            for number in 0..16 {
                scope.spawn(move || {
                    for round in 0..50 {
                        if (number + round) % 3 == 0 {
                            assert!(run(|| std::process::abort()).is_err());
                        } else {
                            assert_eq!(run(|| number), Ok(number));
                        }
                    }
                });
            }
        });
    }
}
