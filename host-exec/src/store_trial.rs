//! Decides by measurement whether launches of a kernel with large outputs store past the caches.
//!
//! Such stores do without loading each line first. They lose where the caches hold more of the output than `host_caches`
//! assumes and what follows reads it, or where they are scattered over many pages of memory. What is compared is the time
//! from the end of a launch to the end of the kernel's next one: it has that of the commands between them, which may read
//! the output, or write what the caches still hold of it to memory.

use parking_lot::Mutex;
use std::time::{Duration, Instant};

/// How code with streaming stores stores whole lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// Past the caches.
    Streaming,
    /// To the caches.
    Ordinary,
}

/// The launches of a trial. Ordinary stores lie between streaming ones, so that a change of the host's speed favours neither.
const PHASES: [(Stores, u32); 3] = [
    (Stores::Streaming, 8),
    (Stores::Ordinary, 4),
    (Stores::Streaming, 4),
];

/// Ordinary stores are chosen if launches follow each other in less than this part of the time with streaming ones.
const GAIN: f64 = 0.97;

/// A launch with ordinary stores that takes this many times as long as one with streaming stores ends the trial.
const HOPELESS: f64 = 1.5;

/// The trial of a version of a kernel's code, and its outcome. Launches store past the caches until it has ended.
#[derive(Debug, Default)]
pub struct StoreTrial(Mutex<State>);

#[derive(Debug)]
enum State {
    Running(Trial),
    Decided(Stores),
}

impl Default for State {
    fn default() -> Self {
        Self::Running(Trial::new(0))
    }
}

/// A launch that has ended.
#[derive(Clone, Copy)]
pub(crate) struct EndedLaunch {
    pub begin: Instant,
    pub end: Instant,
}

#[derive(Debug)]
struct Trial {
    /// Work-groups of each of the launches, which are compared only if they have as many.
    groups: u64,
    phase: usize,
    /// How many launches of this phase have ended, and when the last one did.
    ended: Option<(u32, Instant)>,
    /// Shortest time from one end to the next in each phase.
    shortest: [Duration; PHASES.len()],
    /// Shortest launch with streaming stores.
    shortest_launch: Duration,
}

impl Trial {
    fn new(groups: u64) -> Self {
        Self {
            groups,
            phase: 0,
            ended: None,
            shortest: [Duration::MAX; PHASES.len()],
            shortest_launch: Duration::MAX,
        }
    }

    /// Adds a launch of this phase; the outcome if that ends the trial.
    fn add(&mut self, launch: EndedLaunch) -> Option<Stores> {
        let (stores, launches) = PHASES[self.phase];
        let duration = launch.end.saturating_duration_since(launch.begin);
        match stores {
            Stores::Streaming => self.shortest_launch = duration.min(self.shortest_launch),
            Stores::Ordinary if duration > self.shortest_launch.mul_f64(HOPELESS) => {
                return Some(Stores::Streaming);
            }
            Stores::Ordinary => {}
        }
        let mut number = 1;
        if let Some((before, last)) = self.ended {
            let shortest = &mut self.shortest[self.phase];
            *shortest = launch.end.saturating_duration_since(last).min(*shortest);
            number = before + 1;
        }
        self.ended = Some((number, launch.end));
        if number < launches {
            return None;
        }
        self.ended = None;
        self.phase += 1;
        (self.phase == PHASES.len()).then(|| self.outcome())
    }

    fn outcome(&self) -> Stores {
        let [before, ordinary, after] = self.shortest;
        if ordinary < before.min(after).mul_f64(GAIN) {
            Stores::Ordinary
        } else {
            Stores::Streaming
        }
    }
}

impl StoreTrial {
    /// The stores of a launch of `groups` work-groups that begins.
    pub(crate) fn begin(&self, groups: u64) -> Stores {
        match &mut *self.0.lock() {
            State::Decided(stores) => *stores,
            State::Running(trial) => {
                if trial.groups != groups {
                    *trial = Trial::new(groups);
                }
                PHASES[trial.phase].0
            }
        }
    }

    /// A launch of `groups` work-groups with these stores has ended.
    pub(crate) fn end(&self, groups: u64, stores: Stores, launch: EndedLaunch) {
        let mut state = self.0.lock();
        // A launch on another queue may have begun in the phase before.
        if let State::Running(trial) = &mut *state
            && trial.groups == groups
            && PHASES[trial.phase].0 == stores
            && let Some(outcome) = trial.add(launch)
        {
            log::debug!("{outcome:?} stores of a kernel with large output: {trial:?}");
            *state = State::Decided(outcome);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Has launches of `groups` groups, each as long as `duration` says for its number and stores, in microseconds,
    /// with others of `others` after each, and returns their stores.
    fn launch_with(
        trial: &StoreTrial,
        groups: u64,
        launches: u64,
        duration: impl Fn(u64, Stores) -> u64,
        others: impl Fn(Stores) -> u64,
    ) -> Vec<Stores> {
        let mut now = Instant::now();
        (0..launches)
            .map(|number| {
                let stores = trial.begin(groups);
                let (begin, end) = (now, now + Duration::from_micros(duration(number, stores)));
                trial.end(groups, stores, EndedLaunch { begin, end });
                now = end + Duration::from_micros(others(stores));
                stores
            })
            .collect()
    }

    fn launch(
        trial: &StoreTrial,
        groups: u64,
        launches: u64,
        duration: impl Fn(u64, Stores) -> u64,
    ) -> Vec<Stores> {
        launch_with(trial, groups, launches, duration, |_| 0)
    }

    fn ordinary(of: &[Stores]) -> usize {
        of.iter()
            .filter(|stores| **stores == Stores::Ordinary)
            .count()
    }

    fn by_stores(streaming: u64, ordinary: u64) -> impl Fn(u64, Stores) -> u64 {
        move |_, stores| match stores {
            Stores::Streaming => streaming,
            Stores::Ordinary => ordinary,
        }
    }

    #[test]
    fn the_faster_stores_are_chosen() {
        for (streaming, ordinary, chosen) in [
            (1000, 900, Stores::Ordinary),
            (1000, 990, Stores::Streaming),
            (1000, 1100, Stores::Streaming),
        ] {
            let trial = StoreTrial::default();
            launch(&trial, 7, 16, by_stores(streaming, ordinary));
            assert_eq!(trial.begin(7), chosen, "{streaming} {ordinary}");
            // Once decided, sizes do not matter.
            assert_eq!(trial.begin(8), chosen, "{streaming} {ordinary}");
        }
    }

    #[test]
    fn commands_between_the_launches_count() {
        for (streaming, ordinary, chosen) in [
            (1000, 1200, Stores::Streaming),
            (1000, 700, Stores::Ordinary),
        ] {
            let trial = StoreTrial::default();
            let others = by_stores(streaming, ordinary);
            launch_with(&trial, 7, 16, by_stores(1000, 950), |stores| {
                others(0, stores)
            });
            assert_eq!(trial.begin(7), chosen, "{streaming} {ordinary}");
        }
    }

    #[test]
    fn slow_ordinary_stores_are_tried_once() {
        let trial = StoreTrial::default();
        let stores = launch(&trial, 7, 100, by_stores(1000, 1600));
        assert_eq!(ordinary(&stores), 1);
    }

    #[test]
    fn a_faster_or_slower_host_decides_nothing() {
        for speeds in [[4, 2, 2], [2, 2, 4], [3, 2, 1], [1, 2, 3]] {
            let trial = StoreTrial::default();
            launch(&trial, 7, 16, |number, _| {
                1000 * speeds[(number / 4).saturating_sub(1).min(2) as usize]
            });
            assert_eq!(trial.begin(7), Stores::Streaming, "{speeds:?}");
        }
    }

    #[test]
    fn launches_of_other_sizes_are_not_compared() {
        let trial = StoreTrial::default();
        for groups in [7, 8] {
            let stores = launch(&trial, groups, 15, by_stores(1000, 900));
            assert_eq!(ordinary(&stores), 4);
        }
        let stores: Vec<_> = (0..50)
            .flat_map(|size| launch(&trial, size, 1, by_stores(1000, 900)))
            .collect();
        assert_eq!(ordinary(&stores), 0);
    }

    #[test]
    fn launches_of_other_queues_end_late() {
        let trial = StoreTrial::default();
        let (stores, begin) = (trial.begin(7), Instant::now());
        launch(&trial, 7, 10, by_stores(1000, 900));
        let late = EndedLaunch { begin, end: begin };
        trial.end(7, stores, late);
        launch(&trial, 7, 6, by_stores(1000, 900));
        assert_eq!(trial.begin(7), Stores::Ordinary);
    }
}
