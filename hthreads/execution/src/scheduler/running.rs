//! A thread that the scheduler runs.

use super::polls::{self, Polls};
use crate::debugger;
use crate::device_thread::{self, DeviceThread, Request};
use crate::faults::interruption::HostThread;
use crate::floating_point::{self, DeviceEnvironment};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult};
use device_sim::timing::launch_timing::Activity;
use device_sim::units::Cycles;
use host_exec::signals::alternate_stack::AlternateStack;
use kernel_compiler::device_c::{DeviceCode, Entry, MAX_ARGUMENTS};
use std::io;
use std::sync::Arc;
use std::time::Instant;

/// Bytes of a stack on the host: what the machine has in SM and AM, with room for the host's own
/// frames, which are larger. Only what is used is backed.
pub const STACK_BYTES: usize = 2 << 20;

/// Bytes of the stack below the function that suspends a thread, in which the registers of its callers are saved.
const SAVED_BYTES: usize = 256;

thread_local! {
    /// A host thread that runs threads: with a stack for the handlers of signals, which may be faults of an exhausted
    /// stack.
    static HOST_THREAD: (Option<AlternateStack>, HostThread) =
        (AlternateStack::install(), HostThread::register());
}

/// Why a thread does not run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum State {
    /// It can continue.
    Ready,
    /// It waits at a barrier unit.
    AtBarrier {
        /// The unit.
        unit: u32,
        /// When an exception ends the wait, if there is a limit.
        limit: Option<Limit>,
    },
    /// It waits for a lock.
    ForLock {
        /// The lock.
        unit: u32,
        /// Whether to write.
        writes: bool,
    },
    /// It waits for an interrupt.
    ForInterrupt,
    /// It waits until then.
    Until(Instant),
    /// It has stopped.
    Halted,
    /// Its array performs the steps before its request, in simulated time.
    Simulated,
    /// Its array has performed them.
    Due,
}

/// A wait that an interrupt has interrupted.
#[derive(Clone, Copy, Debug)]
pub struct InterruptedWait {
    /// What the thread waits for.
    pub state: State,
    /// Whether the wait has ended meanwhile.
    pub is_over: bool,
}

/// The end of a limited wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// When no thread can continue.
    NoProgress,
    /// A simulated time of the launch.
    At(Cycles),
}

impl State {
    /// The simulated time at which an exception ends the wait.
    pub fn deadline(self) -> Option<Cycles> {
        match self {
            Self::AtBarrier {
                limit: Some(Limit::At(time)),
                ..
            } => Some(time),
            _ => None,
        }
    }

    /// Whether an interrupt lets a thread run that is in this state. One that sleeps in simulated time
    /// is ready.
    pub fn can_be_interrupted(self) -> bool {
        matches!(
            self,
            Self::AtBarrier { .. } | Self::ForLock { .. } | Self::ForInterrupt | Self::Until(_)
        )
    }

    /// The purpose of its wait.
    pub fn activity(self) -> Activity {
        match self {
            Self::AtBarrier { .. } => Activity::Barrier,
            Self::ForLock { .. } => Activity::LockWait,
            _ => Activity::Idle,
        }
    }
}

/// What a thread did last.
pub enum Outcome {
    /// It requested something.
    Asked(Request),
    /// The kernel has returned.
    Ended,
}

/// A thread, with its stack.
pub struct Running {
    /// The thread as its functions see it; at a fixed address.
    pub thread: Box<DeviceThread>,
    coroutine: Coroutine<u64, Request, (), DefaultStack>,
    /// Why it does not run.
    pub state: State,
    /// Waits that continue when its handler of interrupts has returned, the last one begun last.
    pub interrupted: Vec<InterruptedWait>,
    /// The answer to its last request.
    pub answer: u64,
    /// What it did in this round.
    pub outcome: Option<Outcome>,
    /// The number of its launch in simulated time, if it has such a time.
    pub timed: Option<u64>,
    /// When it continues in simulated time, if it is ready.
    pub resumes_at: Cycles,
    /// Its polls since it has requested something else.
    pub polls: Polls,
    /// Keeps what it executes loaded.
    _code: Arc<DeviceCode>,
}

/// A stack for a thread.
///
/// # Errors
/// The host has no memory.
pub fn stack() -> io::Result<DefaultStack> {
    DefaultStack::new(STACK_BYTES)
}

impl Running {
    /// A thread that calls `entry` with `arguments` on `stack`, that `thread` knows.
    pub fn new(
        thread: Box<DeviceThread>,
        stack: DefaultStack,
        code: Arc<DeviceCode>,
        entry: Entry,
        arguments: [u64; MAX_ARGUMENTS],
    ) -> Self {
        let address = (&raw const *thread).expose_provenance();
        let body = move |suspender: &corosensei::Yielder<u64, Request>, _: u64| {
            // SAFETY: the scheduler keeps the box until the coroutine is gone.
            let thread = unsafe { &*std::ptr::with_exposed_provenance::<DeviceThread>(address) };
            thread.suspender.set(suspender);
            thread.frames.set((0, (&raw const thread).addr()));
            // SAFETY: the entry reads no more than `MAX_ARGUMENTS` words.
            unsafe { entry(arguments.as_ptr()) };
        };
        Self {
            thread,
            coroutine: Coroutine::with_stack(stack, body),
            state: State::Ready,
            interrupted: Vec::new(),
            answer: 0,
            outcome: None,
            timed: None,
            resumes_at: Cycles::ZERO,
            polls: Polls::default(),
            _code: code,
        }
    }

    /// Whether it runs in the next round: in simulated time those do that continue at `earliest`.
    pub fn runs_next(&self, earliest: Option<Cycles>) -> bool {
        if self.state != State::Ready || self.outcome.is_some() {
            return false;
        }
        self.timed.is_none() || earliest == Some(self.resumes_at)
    }

    /// Whether its request can be served: it has performed its steps, or has no simulated time.
    pub fn is_served(&self) -> bool {
        self.outcome.is_some() && self.state != State::Simulated
    }

    /// Lets it continue until its next request.
    pub fn resume(&mut self) {
        HOST_THREAD.with(|_| ());
        let environment = DeviceEnvironment::begin();
        device_thread::set_current(&raw const *self.thread);
        debugger::note(&self.thread, true);
        self.outcome = Some(match self.coroutine.resume(self.answer) {
            CoroutineResult::Yield(request) => Outcome::Asked(request),
            CoroutineResult::Return(()) => Outcome::Ended,
        });
        debugger::note(&self.thread, false);
        device_thread::set_current(std::ptr::null());
        self.thread.arithmetic.add(floating_point::take_raised());
        drop(environment);
        self.note_polls();
    }

    /// Notes whether it has polled, or has done something else.
    fn note_polls(&mut self) {
        match &self.outcome {
            Some(Outcome::Asked(request)) if request.is_poll() => {
                let thread = &self.thread;
                self.polls.note(|| state_number(thread));
            }
            _ => self.polls = Polls::default(),
        }
    }
}

/// A number that is the same for the same state of a suspended thread that has written the same since the last one.
fn state_number(thread: &DeviceThread) -> u64 {
    let (here, end) = thread.frames.get();
    let start = (here - SAVED_BYTES).max(thread.stack.start) & !7;
    let words = (start..end & !7).step_by(8).map(|address| {
        let word = std::ptr::with_exposed_provenance::<u64>(address);
        // SAFETY: the part of the thread's stack that it has used, which no other code accesses while it is suspended.
        unsafe { word.read_volatile() }
    });
    let seed = [thread.clock_reads.get(), thread.written.take()].into_iter();
    polls::fingerprint(words, polls::fingerprint(seed, 0))
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.coroutine.done() {
            // SAFETY: frames of compiled code own nothing, and the functions that they call own
            // nothing while they are suspended, but for registers of code in assembly, which
            // then stay allocated.
            unsafe { self.coroutine.force_reset() };
        }
    }
}
