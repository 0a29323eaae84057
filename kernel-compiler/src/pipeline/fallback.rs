//! Code for a kernel that an optimisation fails on. A panic in a pass of this crate, code that
//! LLVM rejects and a crash of LLVM cost the kernel that optimisation, and not its launch.
//!
//! Each attempt starts from the linked program. The next one omits the optimisation that failed.
//! Where that is unknown, or does not suffice, it omits vectorisation, then scalarisation, then
//! all optimisation.

use crate::failure::BuildFailure;
use crate::guard::{self, Stopped};
use crate::process_end;
use crate::shim::Refused;
use environment::FALLBACK;
use once_cell::sync::Lazy;
use parking_lot::Mutex;
use std::cell::RefCell;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt::{self, Display, Formatter};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::sync::atomic::{AtomicU8, Ordering};

/// An optimisation that code can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Optimisation {
    /// Uniform loops around the loops over work-items.
    LoopInterchange,
    /// Loops split into several.
    LoopDistribution,
    /// Several rows of work-items in one iteration.
    UnrollAndJam,
    /// Work-items as elements of vectors.
    Vectorisation,
    /// OpenCL's vectors split into components for LLVM's loop vectoriser.
    Scalarisation,
    /// Timed code that only counts, after untimed code.
    CounterSlice,
    /// Everything else: LLVM's pipelines and their preparation.
    Pipelines,
}

impl Display for Optimisation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoopInterchange => "loop interchange",
            Self::LoopDistribution => "loop distribution",
            Self::UnrollAndJam => "unroll-and-jam",
            Self::Vectorisation => "vectorisation",
            Self::Scalarisation => "scalarisation of vectors",
            Self::CounterSlice => "counter slices",
            Self::Pipelines => "optimisation",
        })
    }
}

const ALL: &[Optimisation] = &[
    Optimisation::LoopInterchange,
    Optimisation::LoopDistribution,
    Optimisation::UnrollAndJam,
    Optimisation::Vectorisation,
    Optimisation::Scalarisation,
    Optimisation::CounterSlice,
    Optimisation::Pipelines,
];

/// Optimisations that are omitted one after another where the failing one is unknown.
const ORDER: &[Optimisation] = &[
    Optimisation::Vectorisation,
    Optimisation::Scalarisation,
    Optimisation::Pipelines,
];

/// How an attempt failed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    /// A pass of this crate panicked: message and place.
    Panicked(String),
    /// LLVM rejected the code.
    Rejected(String),
    /// The guard stopped it.
    Stopped(Stopped),
}

impl Cause {
    /// Whether an attempt without an optimisation may succeed. What the host lacks and limits do
    /// not depend on the optimisations.
    fn depends_on_optimisations(&self) -> bool {
        match self {
            Self::Panicked(_) | Self::Rejected(_) => true,
            Self::Stopped(stopped) => match stopped {
                Stopped::Signal(_)
                | Stopped::FatalError(_)
                | Stopped::StackExhausted(_)
                | Stopped::Panic(_) => true,
                Stopped::NoThread(_)
                | Stopped::NoMemory
                | Stopped::TooLong(_)
                | Stopped::TooLarge(_) => false,
            },
        }
    }

    /// The failure of a build of `kernel`.
    fn failure(&self, kernel: &str) -> BuildFailure {
        match self {
            Self::Rejected(text) => BuildFailure::new(format!(
                "error: kernel `{kernel}`: {text} (an error in the compiler)"
            )),
            Self::Panicked(text) => BuildFailure::new(format!(
                "error: the compiler panicked while compiling kernel `{kernel}`: {text}"
            )),
            Self::Stopped(stopped) => BuildFailure::of_kernel(kernel, stopped),
        }
    }
}

impl Display for Cause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked(text) => write!(f, "a pass panicked: {text}"),
            Self::Rejected(text) => write!(f, "LLVM rejected the code: {text}"),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

/// One attempt at a kernel: the optimisations that it may use, and those that it has used. The
/// latter are atomic, since the guard may stop the attempt at any instruction.
#[derive(Default)]
pub struct Attempt {
    without: Vec<Optimisation>,
    /// Bit n is that of the optimisation with number n.
    used: AtomicU8,
    /// The bit of the optimisation that is running, or 0.
    running: AtomicU8,
    #[cfg(test)]
    injected: tests::Injected,
}

impl Optimisation {
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl Attempt {
    /// Whether the code may have this optimisation.
    pub fn allows(&self, optimisation: Optimisation) -> bool {
        !self.without.contains(&optimisation)
    }

    /// Whether an attempt before this one failed.
    pub fn is_fallback(&self) -> bool {
        !self.without.is_empty()
    }

    /// Runs a pass of an optimisation. Failures in `body` are attributed to it.
    ///
    /// # Errors
    /// Those of `body`.
    pub fn run<T>(
        &self,
        optimisation: Optimisation,
        body: impl FnOnce() -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        self.used.fetch_or(optimisation.bit(), Ordering::Relaxed);
        let outer = self.running.swap(optimisation.bit(), Ordering::Relaxed);
        #[cfg(test)]
        self.injected.inject(optimisation)?;
        let outcome = body()?;
        self.running.store(outer, Ordering::Relaxed);
        Ok(outcome)
    }

    /// The optimisation that the attempt after this failed one omits; `None` if none is left.
    fn lost(&self) -> Option<Optimisation> {
        let used = self.used.load(Ordering::Relaxed);
        let running = self.running.load(Ordering::Relaxed);
        let failed = ALL.iter().filter(|of| of.bit() == running);
        let next = ORDER
            .iter()
            .filter(|of| used & of.bit() != 0 || **of == Optimisation::Pipelines);
        failed.chain(next).copied().find(|of| self.allows(*of))
    }
}

/// Calls `make` on guarded threads until an attempt at `kernel` succeeds.
///
/// # Errors
/// No attempt succeeded, or fallbacks are errors: how the first one failed. The host lacks memory
/// or threads, a limit is exceeded, or the process ends.
pub fn compile<T: Send>(
    kernel: &str,
    mut make: impl FnMut(&Attempt) -> Result<T, Refused> + Send,
) -> Result<T, BuildFailure> {
    let mut attempt = Attempt::default();
    let mut failed: Vec<(Optimisation, Cause)> = Vec::new();
    loop {
        let cause = match guard::run(|| catch(|| make(&attempt))) {
            Ok(Ok(Ok(made))) => {
                for (lost, cause) in &failed {
                    report(kernel, *lost, cause);
                }
                return Ok(made);
            }
            Ok(Ok(Err(Refused(text)))) => Cause::Rejected(text),
            Ok(Err(text)) => Cause::Panicked(text),
            Err(stopped) => Cause::Stopped(stopped),
        };
        if process_end::is_closed() || !cause.depends_on_optimisations() {
            return Err(cause.failure(kernel));
        }
        let lost = attempt.lost();
        failed.extend(lost.map(|lost| (lost, cause.clone())));
        let without: Vec<_> = failed.iter().map(|(lost, _)| *lost).collect();
        if lost.is_none() || are_errors() {
            let first = failed.first().map_or(&cause, |(_, cause)| cause);
            return Err(first.failure(kernel));
        }
        attempt = Attempt {
            without,
            ..Attempt::default()
        };
    }
}

/// Whether a fallback is an error.
static ARE_ERRORS: Lazy<bool> = Lazy::new(|| {
    let value = FALLBACK.get();
    asked(value.as_deref()).unwrap_or_else(|| {
        let value = value.unwrap_or_default();
        log::warn!("{FALLBACK}={value:?} is neither allow nor error; fallbacks are allowed");
        false
    })
});

fn are_errors() -> bool {
    #[cfg(test)]
    if tests::injects() {
        return false;
    }
    *ARE_ERRORS
}

/// None if the value is wrong.
fn asked(value: Option<&OsStr>) -> Option<bool> {
    match value.unwrap_or_default().as_encoded_bytes() {
        b"" | b"allow" => Some(false),
        b"error" => Some(true),
        _ => None,
    }
}

/// Fallbacks of this process, by kernel and what it lost.
static FALLBACKS: Lazy<Mutex<HashSet<(String, Optimisation)>>> = Lazy::new(Mutex::default);

/// Kernels that were compiled without an optimisation in this process, counted once for each
/// optimisation.
pub fn count() -> usize {
    FALLBACKS.lock().len()
}

/// Counts a fallback and logs it: the first of a kernel and an optimisation.
fn report(kernel: &str, lost: Optimisation, cause: &Cause) {
    if !process_end::is_closed() && FALLBACKS.lock().insert((kernel.to_owned(), lost)) {
        log::warn!(
            "kernel `{kernel}` is compiled without {lost} (an error in the compiler): {cause}"
        );
    }
}

thread_local! {
    /// Of a thread that runs passes: the message of the last panic.
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `body`; the message of a panic in it, which is not printed.
fn catch<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let former = take_hook();
        set_hook(Box::new(move |info| {
            if !keep_message(info) {
                former(info);
            }
        }));
    });
    MESSAGE.set(Some(String::new()));
    let outcome = catch_unwind(AssertUnwindSafe(body));
    let message = MESSAGE.take().unwrap_or_default();
    outcome.map_err(|_| message)
}

/// Keeps the message of a panic if this thread runs passes.
fn keep_message(info: &PanicHookInfo<'_>) -> bool {
    let keep = |message: &RefCell<Option<String>>| {
        let mut message = message.borrow_mut();
        let Some(message) = &mut *message else {
            return false;
        };
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        *message = text.unwrap_or("no message").to_owned();
        if let Some(place) = info.location() {
            message.push_str(&format!(", {}:{}", place.file(), place.line()));
        }
        true
    };
    MESSAGE.try_with(keep).unwrap_or(false)
}

#[cfg(test)]
mod tests;
