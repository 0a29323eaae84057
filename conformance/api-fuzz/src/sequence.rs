//! A whole sequence.

use crate::call::{Run, Step};
use crate::model::{Details, Kind};
use crate::steps;
use std::time::{Duration, Instant};

/// Number of steps of a sequence.
pub const STEPS: u32 = 400;

/// Time limit for the release of all objects.
const PATIENCE: Duration = Duration::from_secs(60);

impl Run {
    /// Runs the steps of a sequence that `wanted` selects, and releases all objects. Returns
    /// whether all results were right.
    pub fn sequence(&mut self, seed: u64, wanted: impl Fn(u32) -> bool) -> bool {
        self.start(seed);
        self.insert_devices();
        for number in (1..=STEPS).filter(|number| wanted(*number)) {
            self.start_step(number);
            let step = match steps::FIRST.get(number as usize - 1) {
                Some(step) => *step,
                None => steps::choose(self),
            };
            // A step that made no call has not failed.
            let _: Step = step(self);
            for queue in std::mem::take(&mut self.to_be_left) {
                let _: Step = self.leave_queue(queue);
            }
            if self.failure.is_some() {
                return false;
            }
            if self.short_of_memory {
                let _: Step = self.finish_all();
                if self.failure.is_some() {
                    return false;
                }
            }
        }
        self.start_step(STEPS + 1);
        self.end().is_some()
    }

    /// Releases all objects and checks that none is left.
    fn end(&mut self) -> Step {
        self.finish_all()?;
        let order = [
            Kind::Event,
            Kind::Kernel,
            Kind::Buffer,
            Kind::Image,
            Kind::Queue,
            Kind::Sampler,
            Kind::Program,
            Kind::Context,
            Kind::Device,
        ];
        for kind in order {
            for id in self.model.ids(kind) {
                let root = matches!(&self.model.object(id).details,
                    Details::Device(device) if device.parent.is_none());
                while !root && self.model.object(id).is_alive() {
                    self.release_object(kind, Some(id))?;
                }
            }
        }
        self.finish_all()?;
        let start = Instant::now();
        for (counter, expected, text) in std::mem::take(&mut self.callbacks) {
            while counter.calls() < expected && start.elapsed() < PATIENCE {
                std::thread::sleep(Duration::from_micros(100));
            }
            let calls = counter.calls();
            if calls != expected {
                return self.fail(format!("{text} was called {calls} times, not {expected}"));
            }
        }
        Some(())
    }
}
