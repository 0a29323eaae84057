//! The scheduler of the accelerators' tasks.

use super::error::MachineError;
use super::quantity::{Limit, MOST_CYCLES, Quantity, check_limits};
use super::task_queue_manager::TaskQueueManager;
use serde::{Deserialize, Serialize};

/// How tasks are scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheduling {
    /// By the host, one task at a time.
    Naive,
    /// By a runtime system on the host, out of order.
    Software,
    /// By the hardware task scheduler, without speculation.
    Hardware,
    /// By the hardware task scheduler, with speculation.
    Speculative,
    /// By the task queue manager.
    Managed,
}

impl Scheduling {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Naive,
        Self::Software,
        Self::Hardware,
        Self::Speculative,
        Self::Managed,
    ];

    /// The name in machine files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Software => "software",
            Self::Hardware => "hardware",
            Self::Speculative => "speculative",
            Self::Managed => "managed",
        }
    }
}

/// The scheduler of the accelerators' tasks (HTS paper, section IV).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TaskScheduler {
    /// How tasks are scheduled.
    pub scheduling: Scheduling,
    /// Cycles per second, of the scheduler and the accelerators.
    pub clock: Quantity,
    /// The path of instructions to the dispatch window.
    pub front_end: FrontEnd,
    /// The dispatch window.
    pub dispatch: Dispatch,
    /// The reservation stations.
    pub reservation_stations: ReservationStations,
    /// The memory tracker.
    pub memory_tracker: MemoryTracker,
    /// The common data bus.
    pub bus: Bus,
    /// Branches.
    pub branch: BranchCosts,
    /// Speculation.
    pub speculation: Speculation,
    /// Costs of scheduling by the host.
    pub software: SoftwareCosts,
    /// The task queue manager.
    pub queue_manager: TaskQueueManager,
}

/// The path of instructions to the dispatch window.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FrontEnd {
    /// Instructions that the task queue holds.
    pub queue: Quantity,
    /// Cycles from one instruction that enters the queue to the next.
    pub push: Quantity,
    /// Instructions decoded in a cycle.
    pub width: Quantity,
    /// General-purpose registers.
    pub registers: Quantity,
    /// Cycles without instructions after a jump that is taken.
    pub jump: Quantity,
}

/// The dispatch window.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Dispatch {
    /// Tasks that wait for a reservation station at most.
    pub window: Quantity,
    /// Tasks that move to reservation stations in a cycle.
    pub width: Quantity,
}

/// The reservation stations.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReservationStations {
    /// Stations of each function.
    pub entries: Quantity,
    /// Tasks that are issued to accelerators in a cycle.
    pub width: Quantity,
    /// Cycles to deliver a task to its accelerator.
    pub delivery: Quantity,
}

/// The memory tracker.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryTracker {
    /// Tasks whose regions it holds.
    pub entries: Quantity,
    /// Cycles of a look-up, which are overlapped.
    pub look_up: Quantity,
}

/// The common data bus.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Bus {
    /// Announcements in a cycle.
    pub width: Quantity,
    /// Cycles from the end of a task to its announcement, if the bus is free.
    pub latency: Quantity,
}

/// Branches.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BranchCosts {
    /// Cycles in which no instruction is decoded after a branch on a register.
    pub register: Quantity,
    /// Cycles of a task that reads memory for a branch.
    pub memory_read: Quantity,
    /// Units that read memory for branches.
    pub readers: Quantity,
    /// Cycles from the value to the decision.
    pub resolve: Quantity,
}

/// Speculation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Speculation {
    /// Branches that are not decided at a time.
    pub ids: Quantity,
    /// Outputs that the task look-up buffer maps to transactional memory.
    pub look_up_buffer: Quantity,
    /// Regions that transactional memory holds.
    pub transactional_memory: Quantity,
    /// Cycles to copy a region from transactional memory to its place.
    pub copy_back: Quantity,
}

/// Costs of scheduling by the host.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SoftwareCosts {
    /// Cycles from the end of a task to the first instruction of the handler.
    pub interrupt: Quantity,
    /// Cycles of an access to the scheduler's data.
    pub access: Quantity,
    /// Accesses to take an instruction from the queue.
    pub decode: Quantity,
    /// Accesses to compare regions with those of one task of the memory tracker.
    pub track: Quantity,
    /// Accesses to put a task into a reservation station and the memory tracker.
    pub dispatch: Quantity,
    /// Accesses to issue a task to an accelerator.
    pub issue: Quantity,
    /// Accesses to remove a task that has ended, without those for the tasks that wait for it.
    pub complete: Quantity,
    /// Accesses to notify a task that waits for another one.
    pub wake: Quantity,
}

/// Maximum number of entries of a structure.
const MOST_ENTRIES: u64 = 1 << 16;

/// Maximum instructions or tasks in a cycle.
const WIDEST: u64 = 1 << 10;

impl TaskScheduler {
    pub(super) fn check(&self) -> Result<(), MachineError> {
        for (part, limits) in self.limits() {
            check_limits(&format!("task_scheduler{part}"), &limits)?;
        }
        self.queue_manager.check("task_scheduler.queue_manager")
    }

    fn limits(&self) -> [(&'static str, Vec<Limit<'_>>); 10] {
        [
            ("", vec![("clock", &self.clock, 1, 1 << 40)]),
            (".front_end", self.front_end.limits()),
            (".dispatch", self.dispatch.limits()),
            (".reservation_stations", self.reservation_stations.limits()),
            (".memory_tracker", self.memory_tracker.limits()),
            (".bus", self.bus.limits()),
            (".branch", self.branch.limits()),
            (".speculation", self.speculation.limits()),
            (".software", self.software.limits()),
            (".queue_manager", self.queue_manager.limits()),
        ]
    }
}

impl FrontEnd {
    fn limits(&self) -> Vec<Limit<'_>> {
        vec![
            ("queue", &self.queue, 1, MOST_ENTRIES),
            ("push", &self.push, 1, MOST_CYCLES),
            ("width", &self.width, 1, WIDEST),
            ("registers", &self.registers, 1, 1 << 16),
            ("jump", &self.jump, 0, MOST_CYCLES),
        ]
    }
}

impl Dispatch {
    fn limits(&self) -> Vec<Limit<'_>> {
        vec![
            ("window", &self.window, 1, MOST_ENTRIES),
            ("width", &self.width, 1, WIDEST),
        ]
    }
}

impl ReservationStations {
    fn limits(&self) -> Vec<Limit<'_>> {
        vec![
            ("entries", &self.entries, 1, MOST_ENTRIES),
            ("width", &self.width, 1, WIDEST),
            ("delivery", &self.delivery, 0, MOST_CYCLES),
        ]
    }
}

impl MemoryTracker {
    fn limits(&self) -> Vec<Limit<'_>> {
        vec![
            ("entries", &self.entries, 1, MOST_ENTRIES),
            ("look_up", &self.look_up, 0, MOST_CYCLES),
        ]
    }
}

impl Bus {
    fn limits(&self) -> Vec<Limit<'_>> {
        vec![
            ("width", &self.width, 1, WIDEST),
            ("latency", &self.latency, 0, MOST_CYCLES),
        ]
    }
}

impl BranchCosts {
    fn limits(&self) -> Vec<Limit<'_>> {
        vec![
            ("register", &self.register, 0, MOST_CYCLES),
            ("memory_read", &self.memory_read, 1, MOST_CYCLES),
            ("readers", &self.readers, 1, WIDEST),
            ("resolve", &self.resolve, 0, MOST_CYCLES),
        ]
    }
}

impl Speculation {
    fn limits(&self) -> Vec<Limit<'_>> {
        // The output of a task has 255 regions at most, and has to fit.
        let memory = &self.transactional_memory;
        vec![
            ("ids", &self.ids, 1, 1 << 10),
            ("look_up_buffer", &self.look_up_buffer, 1, MOST_ENTRIES),
            ("transactional_memory", memory, 255, 1 << 24),
            ("copy_back", &self.copy_back, 0, MOST_CYCLES),
        ]
    }
}

impl SoftwareCosts {
    fn limits(&self) -> Vec<Limit<'_>> {
        vec![
            ("interrupt", &self.interrupt, 0, MOST_CYCLES),
            ("access", &self.access, 0, 1 << 20),
            ("decode", &self.decode, 0, 1 << 10),
            ("track", &self.track, 0, 1 << 10),
            ("dispatch", &self.dispatch, 0, 1 << 10),
            ("issue", &self.issue, 0, 1 << 10),
            ("complete", &self.complete, 0, 1 << 10),
            ("wake", &self.wake, 0, 1 << 10),
        ]
    }
}
