//! The ends of tasks: announcements, and removals.

use super::engine::Engine;
use super::tasks::Phase;
use crate::outcome::TaskRecord;

impl Engine<'_> {
    /// Announces tasks that have ended; returns whether there were any.
    pub fn announce(&mut self) -> bool {
        let mut announced = 0;
        while announced < self.numbers.bus_width {
            let Some(ending) = self.bus.next(self.now) else {
                break;
            };
            self.end(ending.slot);
            announced += 1;
        }
        announced > 0
    }

    /// A task has ended: those that wait for it may run, and branches may be decided.
    fn end(&mut self, slot: usize) {
        self.last = self.now;
        let waiters = std::mem::take(&mut self.tasks.get_mut(slot).waiters);
        for &(waiter, number) in &waiters {
            let task = self.tasks.get_mut(waiter);
            if task.number != number {
                continue;
            }
            task.waits -= 1;
            if task.waits == 0 && task.phase == Phase::Station {
                let function = task.function;
                self.stations.wake(function, number, waiter);
            }
        }
        let task = self.tasks.get(slot);
        let number = task.number;
        if task.function != self.reader() {
            self.ended += 1;
            if self.branches.oldest().is_some_and(|oldest| oldest < number) {
                self.ended_early.push((number, self.records.len()));
            }
        }
        self.leave_unit(slot, false);
        self.tracker.remove(slot);
        self.tasks.remove(slot, waiters);
        self.branches.announced((slot, number), self.now);
    }

    /// Removes a task after a branch that was predicted wrongly. No other task waits for it: those that
    /// do are younger, and removed too.
    pub fn abort(&mut self, slot: usize) {
        let task = self.tasks.get(slot);
        let (number, function) = (task.number, task.function);
        match task.phase {
            Phase::Window => {}
            Phase::Station => self.stations.leave(function),
            Phase::Running { .. } => {
                self.bus.remove(slot, number);
                self.leave_unit(slot, true);
            }
        }
        if function != self.reader() {
            self.aborted += 1;
        }
        self.tracker.remove(slot);
        let waiters = std::mem::take(&mut self.tasks.get_mut(slot).waiters);
        self.tasks.remove(slot, waiters);
    }

    /// Discards the outputs of the tasks after a branch that have ended.
    pub fn discard_after(&mut self, branch: u64) {
        for (_, record) in self
            .ended_early
            .extract_if(.., |(number, _)| *number > branch)
        {
            self.ended -= 1;
            self.aborted += 1;
            if let Some(record) = self.records.get_mut(record) {
                record.is_aborted = true;
            }
        }
    }

    /// Frees the accelerator of a task, and records the task.
    fn leave_unit(&mut self, slot: usize, is_aborted: bool) {
        let reader = self.reader();
        let task = self.tasks.get_mut(slot);
        let Phase::Running {
            unit,
            issued,
            begin,
            end,
        } = task.phase
        else {
            return;
        };
        let end = end.min(self.now);
        let busy = end.saturating_sub(begin);
        let function = task.function;
        self.units.release(function, unit, busy, !is_aborted);
        if self.settings.records && function != reader {
            self.records.push(TaskRecord {
                number: task.number,
                // There are fewer functions than ids.
                function: function as u8,
                unit,
                decoded: task.decoded,
                issued,
                begin: begin.min(end),
                computed: end,
                end,
                waited_for: std::mem::take(&mut task.waited_for),
                is_aborted,
                gave_up: false,
            });
        }
    }
}
