//! Optimisations that fail on purpose.

use super::*;
use crate::front_end::options::{BuildCall, BuildOptions};
use crate::inspect::stage::{Observer, Stage};
use crate::ir::Context;
use crate::program::executable::{Executable, Specialisation};
use crate::{compile as compile_source, shim, target};
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
        small_launch: true,
        ..Specialisation::default()
    }
}

/// The optimisations that fail, and whether the kernel is vectorised nevertheless. Loop
/// interchange and scalarisation run only where vectorisation failed.
const FAILING: &[(&[Optimisation], bool)] = &[
    (&[Optimisation::LoopDistribution], true),
    (&[Optimisation::UnrollAndJam], true),
    (
        &[Optimisation::UnrollAndJam, Optimisation::LoopDistribution],
        true,
    ),
    (&[Optimisation::Vectorisation], false),
    (
        &[Optimisation::Vectorisation, Optimisation::LoopInterchange],
        false,
    ),
    (
        &[Optimisation::Vectorisation, Optimisation::Scalarisation],
        false,
    ),
    (&[Optimisation::Pipelines], false),
];

#[test]
fn a_kernel_is_compiled_without_the_optimisations_that_fail() {
    let executable = executable();
    for fault in [Fault::Panic, Fault::Rejection, Fault::Crash] {
        for &(failing, is_vectorised) in FAILING {
            let mut remarks = Remarks::default();
            INJECTED.set(Some((failing, fault)));
            let object = {
                let version = executable.normalise(0, size(64));
                executable.compile_for_inspection(0, version, &mut remarks)
            };
            INJECTED.set(None);
            assert!(!object.unwrap().object.is_empty(), "{failing:?}, {fault:?}");
            let text = remarks.0;
            let has_lanes = text.contains(" lanes along x: ");
            assert_eq!(has_lanes, is_vectorised, "{failing:?}, {fault:?}: {text}");
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
    attempt.run(Optimisation::Vectorisation, || Ok(())).unwrap();
    assert_eq!(attempt.lost(), Some(Optimisation::Vectorisation));
    attempt.run(Optimisation::UnrollAndJam, || Ok(())).unwrap();
    assert_eq!(attempt.lost(), Some(Optimisation::Vectorisation));
    let failure = || Err::<(), _>(Refused(String::new()));
    attempt
        .run(Optimisation::UnrollAndJam, failure)
        .unwrap_err();
    assert_eq!(attempt.lost(), Some(Optimisation::UnrollAndJam));
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
