//! The simulation of a launch while its code runs: what an array does next may depend on when others
//! did something. Each array performs the steps that are known and then waits for further ones.

use super::activity_timeline;
use super::array::ArrayState;
use super::cluster_resources::ClusterResources;
use super::simulation::{self, Events};
use crate::machine::{CodeStackLayout, Machine};
use crate::timing::launch_record::{GroupStep, Volume};
use crate::timing::launch_timing::{Activity, LaunchTiming};
use crate::units::Cycles;

/// A launch whose steps become known while it is simulated. Its time 0 is that at which it was handed
/// to the device. Arrays are known by their places in the list of those that were started.
pub struct LiveLaunch<'m> {
    resources: ClusterResources<'m>,
    numbers: Vec<u64>,
    arrays: Vec<Option<ArrayState<'static>>>,
    events: Events,
    volume: Volume,
    now: Cycles,
    timeline: bool,
}

impl<'m> LiveLaunch<'m> {
    /// A launch on arrays of these numbers, started in this order, which first fetch `code_bytes` of
    /// code; with slices for a timeline, if wanted.
    pub fn new(
        machine: &'m Machine,
        layout: &CodeStackLayout,
        numbers: &[u64],
        code_bytes: u64,
        timeline: bool,
    ) -> Self {
        let resources = ClusterResources::idle(machine, timeline);
        let max_slices = timeline.then(|| activity_timeline::limit(numbers.len()));
        let code = simulation::code_fetched(machine, code_bytes);
        let arrays: Vec<_> = numbers
            .iter()
            .zip(simulation::begins(machine))
            .map(|(number, begin)| {
                let memory = layout.code.into();
                let array =
                    ArrayState::new(*number, &[], begin, memory, code, &resources, max_slices);
                Some(array.open())
            })
            .collect();
        Self {
            events: Events::of(&arrays),
            resources,
            numbers: numbers.to_vec(),
            arrays,
            volume: Volume::default(),
            now: Cycles::ZERO,
            timeline,
        }
    }

    /// The same launch on further arrays, which are not started.
    pub fn with_idle(mut self, numbers: &[u64]) -> Self {
        self.numbers.extend_from_slice(numbers);
        self.arrays.resize_with(self.numbers.len(), || None);
        self
    }

    /// The time of the last event that was processed.
    pub fn now(&self) -> Cycles {
        self.now
    }

    /// The time of the next event.
    pub fn next_event(&self) -> Option<Cycles> {
        self.events.next_time()
    }

    /// Adds what an array does after what is known.
    pub fn add(&mut self, place: usize, steps: Vec<GroupStep>) {
        if steps.is_empty() {
            return;
        }
        let line = self.resources.machine.memory.port.line.value;
        for step in &steps {
            self.volume.add(step, 1, line);
        }
        self.resources.expect(&self.volume);
        if let Some(array) = &mut self.arrays[place] {
            array.add(steps);
        }
    }

    /// Processes the next event; the place of its array if that has performed all its steps now.
    pub fn advance(&mut self) -> Option<usize> {
        let (now, place) = self.events.process(&mut self.resources, &mut self.arrays)?;
        self.now = now;
        let array = self.arrays[place].as_ref()?;
        (array.waits_for_steps() == Some(now)).then_some(place)
    }

    /// Lets an array that has performed all its steps continue at `at`, not before now; the wait until then
    /// was for `activity`.
    pub fn proceed(&mut self, place: usize, at: Cycles, activity: Activity) {
        if let Some(array) = &mut self.arrays[place]
            && array.waits_for_steps().is_some()
        {
            let at = at.max(self.now);
            array.proceed(at, activity);
            self.events.add(at, place);
        }
    }

    /// Ends an array that has performed all its steps, when its transfers have ended.
    pub fn end(&mut self, place: usize, activity: Activity) {
        if let Some(array) = &mut self.arrays[place] {
            array.close();
        }
        self.proceed(place, self.now, activity);
    }

    /// Whether a transfer of an event of an array is in flight.
    pub fn is_pending(&self, place: usize, event: u32) -> bool {
        let array = self.arrays[place].as_ref();
        array.is_some_and(|array| array.is_pending(event))
    }

    /// The timing of the launch. Arrays that have not ended do so after the steps that are known;
    /// those that wait did so for `activity`.
    pub fn finish(mut self, activity: Activity) -> LaunchTiming {
        for place in 0..self.arrays.len() {
            self.end(place, activity);
        }
        while self
            .events
            .process(&mut self.resources, &mut self.arrays)
            .is_some()
        {}
        let numbers = self.numbers.into_iter();
        let arrays = self.arrays.into_iter();
        let progress = arrays.map(|array| array.map(|array| array.progress));
        simulation::timing(
            self.resources,
            numbers,
            progress.collect(),
            &self.volume,
            self.timeline,
        )
    }
}

#[cfg(test)]
mod tests;
