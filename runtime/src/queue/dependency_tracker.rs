//! The order of a queue's commands: which earlier commands a new one depends on. The host's
//! execution and the simulated schedule use the same rules.

use crate::command::Order;
use smallvec::SmallVec;

/// A command as the tracker refers to it.
pub(crate) trait Tracked: Clone {
    /// Removes commands that later ones need not wait for.
    fn prune(commands: &mut Vec<Self>);
}

/// The commands of a queue that later ones may depend on.
pub(crate) struct DependencyTracker<T> {
    in_order: bool,
    /// In order: the last command. Out of order: the last barrier.
    last: Option<T>,
    /// Out of order: the commands since that barrier.
    since: Vec<T>,
}

impl<T: Tracked> DependencyTracker<T> {
    pub fn new(in_order: bool) -> Self {
        Self {
            in_order,
            last: None,
            since: Vec::new(),
        }
    }

    /// Adds a command; returns the commands of the queue that it depends on. With
    /// `waits_for_all` an out-of-order queue's command depends on all earlier ones.
    pub fn add(&mut self, command: T, order: Order, waits_for_all: bool) -> SmallVec<[T; 2]> {
        let mut dependencies = SmallVec::new();
        if self.in_order {
            dependencies.extend(self.last.replace(command));
            return dependencies;
        }
        if waits_for_all {
            dependencies.extend(self.since.drain(..));
        }
        dependencies.extend(self.last.clone());
        if order == Order::Barrier {
            let previous = self.last.replace(command);
            // `finish` still has to wait for commands that the barrier does not wait for.
            if !waits_for_all {
                self.since.extend(previous);
            }
        } else {
            if self.since.len() == self.since.capacity() {
                T::prune(&mut self.since);
            }
            self.since.push(command);
        }
        dependencies
    }

    /// The commands that `finish` waits for.
    pub fn outstanding(&self) -> impl Iterator<Item = &T> {
        self.last.iter().chain(&self.since)
    }
}
