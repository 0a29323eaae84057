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
                // Room for as many as are left, so that the next pruning is not soon.
                self.since.reserve(self.since.len());
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static PRUNED: Cell<usize> = const { Cell::new(0) };
    }

    /// Commands with odd numbers have ended.
    impl Tracked for u32 {
        fn prune(commands: &mut Vec<Self>) {
            PRUNED.set(PRUNED.get() + commands.len());
            commands.retain(|command| command % 2 == 0);
        }
    }

    fn sorted(mut dependencies: SmallVec<[u32; 2]>) -> Vec<u32> {
        dependencies.sort_unstable();
        dependencies.to_vec()
    }

    #[test]
    fn commands_in_order_depend_on_the_one_before() {
        let mut tracker = DependencyTracker::new(true);
        assert!(sorted(tracker.add(1, Order::Command, false)).is_empty());
        assert_eq!(sorted(tracker.add(2, Order::Barrier, true)), [1]);
        assert_eq!(sorted(tracker.add(3, Order::Marker, false)), [2]);
        assert_eq!(tracker.outstanding().copied().collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn barriers_separate_commands_out_of_order() {
        let mut tracker = DependencyTracker::new(false);
        assert!(sorted(tracker.add(2, Order::Command, false)).is_empty());
        assert!(sorted(tracker.add(4, Order::Command, false)).is_empty());
        assert_eq!(sorted(tracker.add(6, Order::Marker, true)), [2, 4]);
        assert_eq!(sorted(tracker.add(8, Order::Barrier, true)), [6]);
        assert_eq!(sorted(tracker.add(10, Order::Command, false)), [8]);
        // With a wait list the barrier depends on the previous one alone.
        assert_eq!(sorted(tracker.add(12, Order::Barrier, false)), [8]);
        assert_eq!(sorted(tracker.add(14, Order::Command, false)), [12]);
        let mut outstanding: Vec<_> = tracker.outstanding().copied().collect();
        outstanding.sort_unstable();
        assert_eq!(outstanding, [8, 10, 12, 14]);
    }

    #[test]
    fn ended_commands_are_pruned() {
        let mut tracker = DependencyTracker::new(false);
        for number in 0..1000 {
            tracker.add(2 * number + 1, Order::Command, false);
        }
        assert!(tracker.outstanding().count() < 10);
    }

    #[test]
    fn pruning_does_not_examine_all_outstanding_commands_for_each_new_one() {
        const COUNT: u32 = 10_000;
        let mut tracker = DependencyTracker::new(false);
        for number in 0..COUNT {
            tracker.add(2 * number, Order::Command, false);
        }
        for number in 0..COUNT {
            tracker.add(2 * number + 1, Order::Command, false);
        }
        let examined = PRUNED.get();
        assert!(examined < 10 * COUNT as usize, "{examined}");
    }
}
