//! Decisions of branches.

use super::engine::Engine;
use crate::outcome::Stall;

impl Engine<'_> {
    /// Decides the branches whose values are known; returns whether there were any.
    pub fn decide(&mut self) -> bool {
        let resolve = self.numbers.resolve;
        let mut has_changed = false;
        while let Some((place, branch)) = self.branches.take_decided(self.now, resolve) {
            has_changed = true;
            self.last = self.last.max(self.now);
            let Some(taken) = branch.taken else {
                let oldest = self.branches.oldest().unwrap_or(u64::MAX);
                self.ended_early.retain(|(number, _)| *number > oldest);
                continue;
            };
            if self.is_speculative {
                self.branches.remove_from(place);
                self.abort_after(branch.number);
            }
            self.interpreter.state = *taken;
            self.held = None;
            self.error = None;
            self.has_ended = false;
            self.queue.flush(self.now);
            self.blocked = (self.now + self.numbers.jump, Stall::Bubble);
        }
        has_changed
    }

    /// Removes the tasks after a branch.
    fn abort_after(&mut self, number: u64) {
        let younger = self.tasks.younger_than(number);
        self.window
            .retain(|(slot, _)| self.tasks.get(*slot).number < number);
        self.stations.remove_after(number);
        for slot in younger {
            self.abort(slot);
        }
        self.discard_after(number);
        self.look_up_buffer.drop_after(number);
    }
}
