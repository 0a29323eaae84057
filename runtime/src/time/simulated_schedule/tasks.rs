//! Tasks of accelerators in the schedule: their times are known when their end is observed, or needed.

use super::{Times, outcome, set_times};
use crate::time::accelerator_schedule::{AcceleratorSchedule, EndedTask, PendingTask};
use crate::time::resource_calendar;
use crate::time::simulated_command::{Dependencies, SimulatedCommand};
use device_sim::timing::pending_report::PendingReport;
use device_sim::units::Nanoseconds;
use std::sync::Arc;

impl Times {
    /// The numbers of the dependencies without times. A task waits for those of its own device; of others
    /// the times are determined.
    pub(super) fn pending_dependencies(
        &mut self,
        command: &SimulatedCommand,
        dependencies: &Dependencies,
        is_task: bool,
    ) -> Vec<u64> {
        let device = command.device().map(|device| device.index());
        let mut numbers = Vec::new();
        for dependency in dependencies {
            let Some(number) = dependency.state.lock().task else {
                continue;
            };
            let of = dependency.device().map(|device| device.index());
            if is_task && of == device {
                numbers.push(number);
            } else if let Some(schedule) = self.schedule_of(dependency) {
                let predicted = schedule.predict(number);
                self.end(predicted);
            }
        }
        numbers
    }

    /// Passes a task to the scheduler of its device, after the migrations that it needs.
    pub(super) fn submit_task(&mut self, mut pending: PendingTask, waits_for: Vec<u64>) {
        let Some(device) = pending.command.device().map(Arc::clone) else {
            return;
        };
        let Some(accelerators) = device.accelerators() else {
            return;
        };
        let now = self.clock.now();
        let cluster = self.cluster(&device);
        let (before, _) = pending.work.host_times(device.machine());
        let submit = pending.submit;
        let begin = resource_calendar::reserve(&mut cluster.processor, submit, before);
        let arrival = begin.saturating_add(before);
        pending.migration = (before > Nanoseconds::ZERO).then_some(begin..arrival);
        let command = Arc::clone(&pending.command);
        let new = || AcceleratorSchedule::new(accelerators);
        let schedule = cluster.accelerators.get_or_insert_with(new);
        let ended = schedule.advance(now);
        let number = schedule.submit(pending, arrival, waits_for);
        command.state.lock().task = Some(number);
        self.end(ended);
    }

    /// Determines the times of a task whose end the host program observes.
    pub(super) fn end_task(&mut self, command: &SimulatedCommand) {
        let number = command.state.lock().task;
        if let (Some(number), Some(schedule)) = (number, self.schedule_of(command)) {
            let ended = schedule.observe(number);
            self.end(ended);
        }
    }

    /// Determines the times of all tasks.
    pub(super) fn end_all_tasks(&mut self) {
        let schedules = self.clusters.iter_mut();
        let schedules = schedules.filter_map(|cluster| cluster.accelerators.as_mut());
        let ended: Vec<EndedTask> = schedules.flat_map(AcceleratorSchedule::finish).collect();
        self.end(ended);
    }

    fn schedule_of(&mut self, command: &SimulatedCommand) -> Option<&mut AcceleratorSchedule> {
        let index = command.device()?.index();
        self.clusters.get_mut(index)?.accelerators.as_mut()
    }

    /// Sets the times of tasks, and records them.
    fn end(&mut self, ended: impl IntoIterator<Item = EndedTask>) {
        for EndedTask {
            pending,
            report,
            gave_up,
            start,
            end,
        } in ended
        {
            let command = &pending.command;
            command.state.lock().task = None;
            if gave_up {
                command.set_gave_up();
            }
            command.set_report(&Arc::new(PendingReport::known(Arc::clone(&report))));
            set_times(command, [pending.submit, start, end]);
            if let Some(record) = pending.record {
                let queued = pending.queued.unwrap_or(Nanoseconds(1));
                let times = [queued, pending.submit, start, end];
                let (status, migration) = (pending.status, pending.migration);
                record.write(outcome(
                    command,
                    status,
                    &pending.work,
                    migration,
                    times,
                    Some(report),
                ));
            }
        }
    }
}
