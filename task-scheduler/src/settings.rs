//! The numbers of a machine that a run depends on.

use crate::error::SettingsError;
use crate::queue_manager::ManagerSettings;
use device_sim::machine::{Machine, Quantity, Scheduling, TaskScheduler};
use std::sync::Arc;
use task_isa::Functions;

/// A function and its accelerators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Number of accelerators.
    pub units: usize,
    /// Cycles of a task.
    pub cycles: u64,
}

/// The numbers of a machine that a run depends on, and how it is recorded. Sizes count entries, times
/// are cycles; `device_sim::machine::TaskScheduler` describes each.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How tasks are scheduled.
    pub scheduling: Scheduling,
    /// The functions, by accelerator id.
    pub functions: Vec<Function>,
    /// Whether the outcome has a record of each task.
    pub records: bool,
    /// Instructions after which a program is stopped.
    pub instruction_limit: u64,
    /// Sizes and times of the scheduler.
    pub(crate) scheduler: Numbers,
    /// The same of the task queue manager.
    pub(crate) manager: Arc<ManagerSettings>,
}

/// Sizes and times of the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub queue: u64,
    pub push: u64,
    pub decode_width: u64,
    pub registers: usize,
    pub jump: u64,
    pub window: usize,
    pub dispatch_width: u64,
    pub stations: usize,
    pub issue_width: u64,
    pub delivery: u64,
    pub tracker: usize,
    pub look_up: u64,
    pub bus_width: u64,
    pub bus_latency: u64,
    pub register_branch: u64,
    pub memory_read: u64,
    pub readers: usize,
    pub resolve: u64,
    pub speculation_ids: usize,
    pub look_up_buffer: usize,
    pub transactional_memory: u64,
    pub copy_back: u64,
    pub interrupt: u64,
    pub access: u64,
    pub decode_accesses: u64,
    pub track_accesses: u64,
    pub dispatch_accesses: u64,
    pub issue_accesses: u64,
    pub complete_accesses: u64,
    pub wake_accesses: u64,
}

/// Instructions after which a program is stopped by default.
const INSTRUCTION_LIMIT: u64 = 1_000_000_000;

impl Settings {
    /// The numbers of a machine.
    ///
    /// # Errors
    /// It has no accelerators or no scheduler, or a policy has an unknown name.
    pub fn new(machine: &Machine) -> Result<Self, SettingsError> {
        if machine.accelerators.is_empty() {
            return Err(SettingsError::NoAccelerators(machine.name.clone()));
        }
        let Some(scheduler) = &machine.task_scheduler else {
            return Err(SettingsError::NoScheduler(machine.name.clone()));
        };
        let functions = machine.accelerators.iter().map(|row| Function {
            name: row.function.clone(),
            units: count(&row.units),
            cycles: row.cycles.value,
        });
        let settings = Self {
            scheduling: scheduler.scheduling,
            functions: functions.collect(),
            records: false,
            instruction_limit: INSTRUCTION_LIMIT,
            scheduler: Numbers::new(scheduler),
            manager: Arc::new(ManagerSettings::new(&scheduler.queue_manager)?),
        };
        settings.names()?;
        Ok(settings)
    }

    /// The names of the functions.
    ///
    /// # Errors
    /// The assembler cannot distinguish a name from others.
    pub fn names(&self) -> Result<Functions, SettingsError> {
        let names = self.functions.iter().map(|function| function.name.clone());
        Ok(Functions::new(names)?)
    }

    /// Whether the scheduler uses the descriptors of tasks.
    pub fn uses_descriptors(&self) -> bool {
        self.scheduling == Scheduling::Managed
    }

    /// Whether the scheduler divides tasks among accelerators.
    pub fn divides_tasks(&self) -> bool {
        self.uses_descriptors() && self.manager.policy.divides()
    }

    /// The same with this scheduling.
    #[must_use]
    pub fn with_scheduling(self, scheduling: Scheduling) -> Self {
        Self { scheduling, ..self }
    }

    /// The same with records of the tasks, or without.
    #[must_use]
    pub fn with_records(self, records: bool) -> Self {
        Self { records, ..self }
    }

    /// The same with this number of accelerators of each function.
    #[must_use]
    pub fn with_units(mut self, units: usize) -> Self {
        for function in &mut self.functions {
            function.units = units.max(1);
        }
        self
    }
}

/// A number of things, whose maximum fits.
fn count(quantity: &Quantity) -> usize {
    quantity.value.try_into().unwrap_or(usize::MAX)
}

impl Numbers {
    fn new(scheduler: &TaskScheduler) -> Self {
        let TaskScheduler {
            front_end,
            dispatch,
            reservation_stations: stations,
            memory_tracker: tracker,
            bus,
            branch,
            speculation,
            software,
            ..
        } = scheduler;
        Self {
            queue: front_end.queue.value,
            push: front_end.push.value,
            decode_width: front_end.width.value,
            registers: count(&front_end.registers),
            jump: front_end.jump.value,
            window: count(&dispatch.window),
            dispatch_width: dispatch.width.value,
            stations: count(&stations.entries),
            issue_width: stations.width.value,
            delivery: stations.delivery.value,
            tracker: count(&tracker.entries),
            look_up: tracker.look_up.value,
            bus_width: bus.width.value,
            bus_latency: bus.latency.value,
            register_branch: branch.register.value,
            memory_read: branch.memory_read.value,
            readers: count(&branch.readers),
            resolve: branch.resolve.value,
            speculation_ids: count(&speculation.ids),
            look_up_buffer: count(&speculation.look_up_buffer),
            transactional_memory: speculation.transactional_memory.value,
            copy_back: speculation.copy_back.value,
            interrupt: software.interrupt.value,
            access: software.access.value,
            decode_accesses: software.decode.value,
            track_accesses: software.track.value,
            dispatch_accesses: software.dispatch.value,
            issue_accesses: software.issue.value,
            complete_accesses: software.complete.value,
            wake_accesses: software.wake.value,
        }
    }
}
