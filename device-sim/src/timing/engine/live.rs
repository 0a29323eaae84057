//! The simulation of a cluster while its code runs: what an array does next may depend on when others
//! did something. Each array performs the steps that are known and then waits for further ones. Launches
//! that overlap share one time axis, on which they compete for the cluster's memories.

use super::activity_timeline;
use super::array::{ArrayState, ArrayTimeline};
use super::cluster_resources::{ClusterResources, TimelineNumber};
use super::simulation::{self, Events};
use crate::machine::{CodeStackLayout, Machine};
use crate::timing::launch_record::{GroupStep, Volume};
use crate::timing::launch_timing::{Activity, LaunchTiming};
use crate::units::Cycles;
use std::ops::Range;

/// A cluster, whose arrays are known by their places. A place is one array of one launch.
pub struct LiveCluster<'m> {
    resources: ClusterResources<'m>,
    arrays: Vec<Option<ArrayState<'static>>>,
    events: Events,
    /// What launches have moved since none ran.
    volume: Volume,
    /// Launches that have not been finished.
    running: usize,
    now: Cycles,
}

/// A launch whose steps become known while it is simulated.
pub struct LiveLaunch<'m> {
    machine: &'m Machine,
    /// When it was handed to the device.
    base: Cycles,
    places: Range<usize>,
    numbers: Vec<u64>,
    volume: Volume,
    timeline: Option<TimelineNumber>,
}

impl<'m> LiveCluster<'m> {
    /// A cluster without launches.
    pub fn new(machine: &'m Machine) -> Self {
        Self {
            resources: ClusterResources::idle(machine),
            arrays: Vec::new(),
            events: Events::none(),
            volume: Volume::default(),
            running: 0,
            now: Cycles::ZERO,
        }
    }

    /// Begins a launch that is handed to the device at `base`, or now if that is over. Arrays of these numbers
    /// are started in this order as `machine` says, and first fetch `code_bytes` of code. With slices for a
    /// timeline, if wanted.
    pub fn begin(
        &mut self,
        base: Cycles,
        machine: &'m Machine,
        layout: &CodeStackLayout,
        numbers: &[u64],
        code_bytes: u64,
        timeline: bool,
    ) -> LiveLaunch<'m> {
        if self.running == 0 {
            *self = Self::new(self.resources.machine);
            self.now = base;
        }
        self.running += 1;
        let begin = base.max(self.now);
        let timeline = timeline.then(|| ArrayTimeline {
            number: self.resources.begin_timeline(),
            max_slices: activity_timeline::limit(numbers.len()),
        });
        let code = simulation::code_fetched(machine, code_bytes);
        let places = self.unused_places(numbers.len());
        let begins = simulation::begins(machine).map(|since| begin.saturating_add(since));
        for ((place, number), begin) in places.clone().zip(numbers).zip(begins) {
            let (memory, resources) = (layout.code.into(), &self.resources);
            let array = ArrayState::new(*number, &[], begin, memory, code, resources, timeline);
            self.arrays[place] = Some(array.open());
            self.events.add(begin, place);
        }
        LiveLaunch {
            machine,
            base,
            places,
            numbers: numbers.to_vec(),
            volume: Volume::default(),
            timeline: timeline.map(|timeline| timeline.number),
        }
    }

    /// That many places without arrays and events.
    fn unused_places(&mut self, count: usize) -> Range<usize> {
        let is_unused = |place: usize| self.arrays[place].is_none() && !self.events.has_of(place);
        let mut first = 0;
        for place in 0..self.arrays.len() {
            if place - first == count {
                break;
            }
            if !is_unused(place) {
                first = place + 1;
            }
        }
        let places = first..first + count;
        let all = self.arrays.len().max(places.end);
        self.arrays.resize_with(all, || None);
        places
    }

    /// The time of the last event that was processed.
    pub fn now(&self) -> Cycles {
        self.now
    }

    /// The time of the next event.
    pub fn next_event(&self) -> Option<Cycles> {
        self.events.next_time()
    }

    /// Adds what an array of a launch does after what is known.
    pub fn add(&mut self, launch: &mut LiveLaunch<'_>, place: usize, steps: Vec<GroupStep>) {
        if steps.is_empty() {
            return;
        }
        let line = self.resources.machine.memory.port.line.value;
        for step in &steps {
            launch.volume.add(step, 1, line);
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

    /// Ends an array after the steps that are known, when its transfers have ended; if it has performed them,
    /// it waited for `activity`.
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

    /// Whether all arrays of a launch have ended.
    pub fn has_ended(&self, launch: &LiveLaunch<'_>) -> bool {
        let mut arrays = self.arrays[launch.places.clone()].iter();
        arrays.all(|array| array.as_ref().is_none_or(ArrayState::has_ended))
    }

    /// The timing of a launch, relative to its base. Its arrays that have not ended do so first, after the steps
    /// that are known; those that wait did so for `activity`. Other launches advance as far.
    pub fn finish(&mut self, launch: LiveLaunch<'_>, activity: Activity) -> LaunchTiming {
        for place in launch.places.clone() {
            self.end(place, activity);
        }
        while !self.has_ended(&launch) {
            let processed = self.events.process(&mut self.resources, &mut self.arrays);
            let Some((now, _)) = processed else {
                break;
            };
            self.now = now;
        }
        self.running -= 1;
        let arrays = self.arrays[launch.places].iter_mut();
        let progress = arrays.map(|array| Some(array.take()?.progress.since(launch.base)));
        let mut progress: Vec<_> = progress.collect();
        progress.resize_with(launch.numbers.len(), || None);
        let transfers = launch.timeline.map(|number| {
            let mut transfers = self.resources.end_timeline(number);
            for transfer in &mut transfers {
                transfer.begin = transfer.begin - launch.base;
                transfer.end = transfer.end - launch.base;
                let waited_for = transfer.waited_for.map(|time| time - launch.base);
                transfer.waited_for = waited_for;
            }
            transfers
        });
        let numbers = launch.numbers.into_iter();
        simulation::timing(launch.machine, numbers, progress, &launch.volume, transfers)
    }
}

impl LiveLaunch<'_> {
    /// The same launch on further arrays, which are not started.
    pub fn with_idle(mut self, numbers: &[u64]) -> Self {
        self.numbers.extend_from_slice(numbers);
        self
    }

    /// The places of its arrays that were started, in their order.
    pub fn places(&self) -> Range<usize> {
        self.places.clone()
    }
}

#[cfg(test)]
mod tests;
