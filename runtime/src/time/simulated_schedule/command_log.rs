//! What decides about simulated times, in the order in which the host program did it.

use crate::recording::call_record::{self, PendingCall};
use crate::time::simulated_command::{CommandKind, Dependencies, SimulatedCommand};
use device_sim::timing::pending_report::PendingReport;
use device_sim::units::Nanoseconds;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of commands enqueued so far, on all nodes: recordings refer to commands by number.
static COMMANDS: AtomicU64 = AtomicU64::new(0);

/// An entry of the log.
pub(super) enum Entry {
    /// A command has been enqueued.
    Enqueued(Arc<SimulatedCommand>),
    /// A command no longer depends on the host program, and can be scheduled.
    Ordered(Arc<SimulatedCommand>),
    /// The host program has observed the end of a command.
    Observed(Arc<SimulatedCommand>),
    /// The host program has set a user event.
    UserEventSet(Arc<SimulatedCommand>),
    /// A co-simulator has set the host program's clock.
    ClockSet(Nanoseconds),
    /// A recorded API call begins.
    CallBegins(Arc<PendingCall>),
    /// A recorded API call returns.
    CallEnds(Arc<PendingCall>),
}

/// What stops the processing of the log at its first entry.
pub(super) enum Blocking {
    /// A command that has not ended on the host.
    Command(Arc<SimulatedCommand>),
    /// The report of a launch that has ended, if it was not known.
    Report(Arc<PendingReport>),
}

/// Most entries that are taken at once.
const MAX_TAKEN: usize = 64;

/// The log.
pub(super) struct CommandLog {
    entries: VecDeque<Entry>,
}

impl CommandLog {
    pub const fn new() -> Self {
        Self {
            entries: VecDeque::new(),
        }
    }

    /// Appends an entry.
    pub fn append(&mut self, entry: Entry) {
        self.entries.push_back(entry);
    }

    /// Whether it has `MAX_TAKEN` entries: they should be processed before something needs them.
    pub fn is_long(&self) -> bool {
        self.entries.len() >= MAX_TAKEN
    }

    /// The entries that have not been processed, from the first on.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// Takes the first entries, up to what stops the processing; not very many, since the log is locked.
    pub fn take(&mut self) -> SmallVec<[Entry; 8]> {
        let mut taken = SmallVec::new();
        while taken.len() < MAX_TAKEN
            && self.blocking().is_none()
            && let Some(entry) = self.entries.pop_front()
        {
            taken.push(entry);
        }
        if self.entries.is_empty() && self.entries.capacity() > 1024 {
            self.entries.shrink_to(64);
        }
        taken
    }

    /// What stops the processing at the first entry, if anything does.
    pub fn blocking(&self) -> Option<Blocking> {
        let Some(Entry::Ordered(command)) = self.entries.front() else {
            return None;
        };
        if !command.state.lock().ended {
            return Some(Blocking::Command(Arc::clone(command)));
        }
        command.unknown_report().cloned().map(Blocking::Report)
    }

    /// Removes the first entry; false if there is none.
    pub fn skip(&mut self) -> bool {
        self.entries.pop_front().is_some()
    }

    /// Appends a command that starts after its dependencies.
    pub fn enqueue(&mut self, command: &Arc<SimulatedCommand>, dependencies: Dependencies) {
        let number = COMMANDS.fetch_add(1, Ordering::Relaxed) + 1;
        command.set_number(number);
        call_record::set_enqueued(number);
        self.entries.push_back(Entry::Enqueued(Arc::clone(command)));
        let mut unordered = 0;
        for dependency in &dependencies {
            let mut dependency = dependency.state.lock();
            if !dependency.ordered {
                dependency.followers.push(Arc::clone(command));
                unordered += 1;
            }
        }
        let mut state = command.state.lock();
        // A command of a terminated context may have ended before.
        if !state.ended {
            state.dependencies = dependencies;
            state.unordered = unordered;
        }
        drop(state);
        if unordered == 0 && command.kind == CommandKind::Device {
            self.order(command);
        }
    }

    /// A command has ended on the host.
    pub fn ended(&mut self, command: &Arc<SimulatedCommand>, status: i32) {
        let mut state = command.state.lock();
        state.ended = true;
        state.status = status;
        drop(state);
        // A command of a terminated context may end before it has been ordered.
        self.order(command);
    }

    /// Orders a command, and those that waited for nothing else, in the order of enqueuing.
    pub fn order(&mut self, first: &Arc<SimulatedCommand>) {
        let mut ready = BinaryHeap::new();
        let mut next = Some(Arc::clone(first));
        while let Some(command) = next {
            for follower in self.order_one(&command) {
                let mut state = follower.state.lock();
                state.unordered = state.unordered.saturating_sub(1);
                let is_ready = state.unordered == 0 && follower.kind == CommandKind::Device;
                drop(state);
                if is_ready {
                    ready.push(Reverse(ByNumber(follower)));
                }
            }
            next = ready.pop().map(|Reverse(ByNumber(command))| command);
        }
    }

    /// Orders a command; returns those that wait for it, none if it was ordered before.
    fn order_one(&mut self, command: &Arc<SimulatedCommand>) -> Vec<Arc<SimulatedCommand>> {
        let mut state = command.state.lock();
        if state.ordered {
            return Vec::new();
        }
        state.ordered = true;
        let followers = std::mem::take(&mut state.followers);
        drop(state);
        if command.kind != CommandKind::Untimed {
            self.entries.push_back(Entry::Ordered(Arc::clone(command)));
        }
        followers
    }
}

/// A command, compared by the order of enqueuing.
struct ByNumber(Arc<SimulatedCommand>);

impl PartialEq for ByNumber {
    fn eq(&self, other: &Self) -> bool {
        self.0.number() == other.0.number()
    }
}

impl Eq for ByNumber {}

impl PartialOrd for ByNumber {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByNumber {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.number().cmp(&other.0.number())
    }
}
