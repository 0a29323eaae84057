//! Code for a kernel that an optimisation fails on. A panic in a pass of this crate, code that
//! LLVM rejects and a crash of LLVM's cost the kernel that optimisation, and not its launch.
//!
//! Each attempt starts from the linked program. What failed is left out of the next one; where
//! that is not known, or not enough, lanes are, then vectors of components, then all
//! optimisation.

use crate::guard::{self, Stopped};
use crate::shim::Refused;
use crate::{BuildFailure, process_end};
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

/// What code can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Optimisation {
    /// Loops of the group around the loops over work-items.
    LoopInterchange,
    /// Loops in several parts.
    LoopDistribution,
    /// Several rows of work-items in one iteration.
    RowsSideBySide,
    /// Work-items as elements of vectors.
    Lanes,
    /// OpenCL's vectors taken apart for LLVM's loop vectoriser.
    Components,
    /// Everything else: LLVM's pipelines and what prepares for them.
    Pipelines,
}

impl Display for Optimisation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoopInterchange => "loop interchange",
            Self::LoopDistribution => "loop distribution",
            Self::RowsSideBySide => "rows side by side",
            Self::Lanes => "lanes",
            Self::Components => "vectors of components",
            Self::Pipelines => "optimisation",
        })
    }
}

const ALL: &[Optimisation] = &[
    Optimisation::LoopInterchange,
    Optimisation::LoopDistribution,
    Optimisation::RowsSideBySide,
    Optimisation::Lanes,
    Optimisation::Components,
    Optimisation::Pipelines,
];

/// What is left out in turn where the failing optimisation is not known.
const ORDER: &[Optimisation] = &[
    Optimisation::Lanes,
    Optimisation::Components,
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

/// One attempt at a kernel: which optimisations it may use, and which it has used. What it notes
/// is atomic: the attempt may stop anywhere.
#[derive(Default)]
pub struct Attempt {
    without: Vec<Optimisation>,
    /// Bit n stands for the optimisation of number n.
    used: AtomicU8,
    /// One bit of these, or none.
    under_way: AtomicU8,
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

    /// Runs a pass of an optimisation. A failure in there is that optimisation's.
    ///
    /// # Errors
    /// Those of `body`.
    pub fn run<T>(
        &self,
        optimisation: Optimisation,
        body: impl FnOnce() -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        self.used.fetch_or(optimisation.bit(), Ordering::Relaxed);
        let around = self.under_way.swap(optimisation.bit(), Ordering::Relaxed);
        #[cfg(test)]
        self.injected.inject(optimisation)?;
        let outcome = body()?;
        self.under_way.store(around, Ordering::Relaxed);
        Ok(outcome)
    }

    /// What the attempt after this failed one does without; none if there is nothing left.
    fn lost(&self) -> Option<Optimisation> {
        let used = self.used.load(Ordering::Relaxed);
        let under_way = self.under_way.load(Ordering::Relaxed);
        let failed = ALL.iter().filter(|of| of.bit() == under_way);
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

/// How many kernels have lost an optimisation in this process, each counted once for each
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
mod tests {
    use super::*;
    use crate::front_end::options::{BuildCall, BuildOptions};
    use crate::inspect::stage::{Observer, Stage};
    use crate::program::executable::{Executable, Specialisation};
    use crate::{compile as compile_source, shim, target};
    use inkwell::context::Context;
    use std::cell::Cell;

    /// What goes wrong on purpose.
    #[derive(Clone, Copy, Debug)]
    enum Fault {
        Panic,
        Rejection,
        Crash,
    }

    thread_local! {
        static INJECTED: Cell<Option<(&'static [Optimisation], Fault)>> = const { Cell::new(None) };
    }

    /// Whether this thread's test lets something go wrong.
    pub fn injects() -> bool {
        INJECTED.get().is_some()
    }

    /// What goes wrong in an attempt that this thread begins.
    pub struct Injected(Option<(&'static [Optimisation], Fault)>);

    impl Default for Injected {
        fn default() -> Self {
            Self(INJECTED.get())
        }
    }

    impl Injected {
        /// Fails if the test wants the optimisation to.
        pub fn inject(&self, optimisation: Optimisation) -> Result<(), Refused> {
            match self.0 {
                Some((of, Fault::Panic)) if of.contains(&optimisation) => panic!("injected"),
                Some((of, Fault::Rejection)) if of.contains(&optimisation) => {
                    Err(Refused("injected".into()))
                }
                Some((of, Fault::Crash)) if of.contains(&optimisation) => {
                    let context = Context::create();
                    let module = context.create_module("crashes");
                    shim::run_passes(&module, "trigger-crash-module", &target::machine(true))
                }
                _ => Ok(()),
            }
        }
    }

    /// The remarks on a kernel.
    #[derive(Default)]
    struct Remarks(String);

    impl Observer for Remarks {
        fn wants(&self, step: Stage) -> bool {
            step == Stage::Remarks
        }

        fn see(&mut self, _step: Stage, text: &str) {
            self.0 = text.into();
        }
    }

    const SOURCE: &str = "kernel void k(global float4 *x, global const float *y, int n) {
        size_t i = get_global_id(0);
        float4 sum = x[i];
        for (int j = 0; j < n; j++)
            sum += y[j] * sum.yzwx;
        x[i] = sum;
    }";

    fn executable() -> std::sync::Arc<Executable> {
        let options = BuildOptions::parse("", BuildCall::Compile).unwrap();
        Executable::link(&[&compile_source(SOURCE, &options, &[]).unwrap()]).unwrap()
    }

    fn size(x: u64) -> Specialisation {
        Specialisation {
            local_size: Some([x, 1, 1]),
            small_grid: true,
            ..Specialisation::default()
        }
    }

    /// What fails, and whether there are lanes all the same. Uniform loops and vectors of
    /// components come where lanes do not.
    const FAILING: &[(&[Optimisation], bool)] = &[
        (&[Optimisation::LoopDistribution], true),
        (&[Optimisation::RowsSideBySide], true),
        (
            &[Optimisation::RowsSideBySide, Optimisation::LoopDistribution],
            true,
        ),
        (&[Optimisation::Lanes], false),
        (&[Optimisation::Lanes, Optimisation::LoopInterchange], false),
        (&[Optimisation::Lanes, Optimisation::Components], false),
        (&[Optimisation::Pipelines], false),
    ];

    #[test]
    fn a_kernel_is_compiled_without_the_optimisations_that_fail() {
        let executable = executable();
        for fault in [Fault::Panic, Fault::Rejection, Fault::Crash] {
            for &(failing, in_lanes) in FAILING {
                let mut remarks = Remarks::default();
                INJECTED.set(Some((failing, fault)));
                let object = executable.compile_for_inspection(0, size(64), &mut remarks);
                INJECTED.set(None);
                assert!(!object.unwrap().object.is_empty(), "{failing:?}, {fault:?}");
                let text = remarks.0;
                let has_lanes = text.contains(" lanes along x: ");
                assert_eq!(has_lanes, in_lanes, "{failing:?}, {fault:?}: {text}");
            }
        }
        let lost: HashSet<_> = FALLBACKS.lock().iter().map(|(_, lost)| *lost).collect();
        for of in FAILING.iter().flat_map(|(failing, _)| *failing) {
            assert!(lost.contains(of), "{of} is not counted");
        }
        assert!(count() >= lost.len());
    }

    #[test]
    fn failures_of_other_kinds_are_the_next_ones_of_the_order() {
        let attempt = Attempt::default();
        assert_eq!(attempt.lost(), Some(Optimisation::Pipelines));
        attempt.run(Optimisation::Lanes, || Ok(())).unwrap();
        assert_eq!(attempt.lost(), Some(Optimisation::Lanes));
        attempt
            .run(Optimisation::RowsSideBySide, || Ok(()))
            .unwrap();
        assert_eq!(attempt.lost(), Some(Optimisation::Lanes));
        let failure = || Err::<(), _>(Refused(String::new()));
        attempt
            .run(Optimisation::RowsSideBySide, failure)
            .unwrap_err();
        assert_eq!(attempt.lost(), Some(Optimisation::RowsSideBySide));
        let last = Attempt {
            without: vec![Optimisation::Pipelines],
            ..Attempt::default()
        };
        assert_eq!(last.lost(), None);
    }

    #[test]
    fn what_fails_in_all_attempts_is_an_error_with_the_first_cause() {
        let mut causes = ["first", "second", "third", "fourth"].into_iter();
        let failure = compile::<()>("k", |_| Err(Refused(causes.next().unwrap().into())));
        let log = failure.unwrap_err().log;
        assert_eq!(log, "error: kernel `k`: first (an error in the compiler)");
    }

    #[test]
    fn what_the_host_lacks_and_limits_are_errors_at_once() {
        let mut attempts = 0;
        let failure = compile::<()>("k", |_| {
            attempts += 1;
            drop(std::hint::black_box(vec![1u8; 1 << 62]));
            Ok(())
        });
        assert_eq!(failure.unwrap_err().cause, crate::Cause::HostMemory);
        assert_eq!(attempts, 1);
        let host = [
            Stopped::NoMemory,
            Stopped::NoThread(String::new()),
            Stopped::TooLong(1),
            Stopped::TooLarge(1),
        ];
        for stopped in host {
            let cause = Cause::Stopped(stopped);
            assert!(!cause.depends_on_optimisations(), "{cause}");
        }
        let crashed = Cause::Stopped(Stopped::Signal(libc::SIGSEGV));
        assert!(crashed.depends_on_optimisations());
    }

    #[test]
    fn panics_are_caught_with_message_and_place() {
        let number = 7;
        let text = catch(|| panic!("number {number}")).unwrap_err();
        let file = file!();
        assert!(text.starts_with(&format!("number 7, {file}:")), "{text}");
        assert!(MESSAGE.take().is_none());
    }

    #[test]
    fn the_variable_has_two_values() {
        let asked = |value: &str| asked(Some(OsStr::new(value)));
        assert_eq!(asked("error"), Some(true));
        assert_eq!(asked("allow"), Some(false));
        assert_eq!(asked("0"), None);
    }
}
