//! Dispatch to reservation stations, and issue to accelerators.

use super::bus::Ending;
use super::engine::Engine;
use super::tasks::Phase;

impl Engine<'_> {
    /// Issues ready tasks to free accelerators, the oldest first; returns whether there were any.
    pub fn issue(&mut self) -> bool {
        let mut issued = 0;
        while issued < self.numbers.issue_width {
            let Some((number, slot, function)) = self.stations.take(&self.units) else {
                break;
            };
            let Some(unit) = self.units.take(function) else {
                break;
            };
            let begin = self.now + self.numbers.delivery;
            let end = begin + self.cycles(function);
            self.tasks.get_mut(slot).phase = Phase::Running {
                unit,
                issued: self.now,
                begin,
                end,
            };
            self.bus.add(Ending {
                end,
                place: (function, unit),
                slot,
                number,
            });
            issued += 1;
        }
        issued > 0
    }

    /// Moves tasks from the window to reservation stations, the oldest of each function first; returns
    /// whether there were any.
    pub fn dispatch(&mut self) -> bool {
        let mut moved = 0;
        let mut place = 0;
        while moved < self.numbers.dispatch_width && place < self.window.len() {
            let (slot, time) = self.window[place];
            if time > self.now {
                // Those behind it were decoded later.
                break;
            }
            let task = self.tasks.get_mut(slot);
            let (function, number) = (task.function, task.number);
            if !self.stations.has_place(function) {
                place += 1;
                continue;
            }
            task.phase = Phase::Station;
            let is_ready = task.waits == 0;
            self.window.remove(place);
            self.stations.enter(function);
            if is_ready {
                self.stations.wake(function, number, slot);
            }
            moved += 1;
        }
        moved > 0
    }
}
