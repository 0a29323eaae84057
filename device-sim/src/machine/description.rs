//! A machine, read from TOML and checked.

use super::accelerator::Accelerator;
use super::array::Array;
use super::clusters::Clusters;
use super::code_stack_layout::DefaultLayout;
use super::dma::Dma;
use super::error::MachineError;
use super::host::HostCosts;
use super::launch::LaunchModel;
use super::locks::LockCosts;
use super::memories::Memories;
use super::network::Network;
use super::opencl_limits::OpenClLimits;
use super::quantity::{Limit, check_limits, check_powers_of_two};
use super::task_scheduler::TaskScheduler;
use crate::units::ClockRate;
use serde::{Deserialize, Serialize};

/// The description of the built-in MT-3000.
pub const MT3000: &str = include_str!("../../machines/mt3000.toml");

/// Maximum size of a description, bytes. The built-in one has fewer than 40 KB.
pub const LARGEST_FILE: u64 = 1 << 20;

/// A machine.
///
/// ```
/// use device_sim::machine::Machine;
///
/// let machine = Machine::mt3000();
/// assert_eq!(machine.clusters.count.value, 4);
/// assert!(Machine::parse("name = 'nothing else'").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Its name, a part of each device's name.
    pub name: String,
    /// Who makes it.
    pub vendor: String,
    /// The acceleration clusters.
    pub clusters: Clusters,
    /// Each acceleration array.
    pub array: Array,
    /// The memories.
    pub memory: Memories,
    /// The DMA engine of an array.
    pub dma: Dma,
    /// What hardware locks cost.
    pub locks: LockCosts,
    /// How kernels are launched.
    pub launch: LaunchModel,
    /// Where stack and code lie, unless the environment says otherwise.
    pub layout: DefaultLayout,
    /// What host commands cost.
    pub host: HostCosts,
    /// What OpenCL reports of it.
    pub open_cl: OpenClLimits,
    /// What connects nodes. No code of kernels depends on it.
    #[serde(default, skip_serializing)]
    pub network: Option<Network>,
    /// Accelerators of fixed functions in addition to the clusters. No code of kernels depends on
    /// them.
    #[serde(rename = "accelerator", default, skip_serializing)]
    pub accelerators: Vec<Accelerator>,
    /// What schedules the accelerators' tasks.
    #[serde(default, skip_serializing)]
    pub task_scheduler: Option<TaskScheduler>,
}

impl Machine {
    /// The built-in MT-3000.
    pub fn mt3000() -> Self {
        Self::parse(MT3000).expect("the built-in description is tested")
    }

    /// Reads a complete description. [`Description`](super::Description) reads overlays as well.
    ///
    /// # Errors
    /// Text that is no TOML, unknown or missing keys, numbers out of range or contradicting each
    /// other.
    pub fn parse(text: &str) -> Result<Self, MachineError> {
        let machine: Self = toml::from_str(text)?;
        machine.check()?;
        Ok(machine)
    }

    /// The machine of a complete description.
    pub(super) fn from_table(table: toml::Table) -> Result<Self, MachineError> {
        let machine = Self::deserialize(table)?;
        machine.check()?;
        Ok(machine)
    }

    /// The clock of the arrays.
    pub fn clock(&self) -> ClockRate {
        ClockRate::new(self.clusters.clock.value)
    }

    fn check(&self) -> Result<(), MachineError> {
        for (part, limits) in self.limits() {
            check_limits(part, &limits)?;
        }
        self.clusters.affinity.check(self.clusters.arrays.value)?;
        self.launch.check()?;
        Accelerator::check(&self.accelerators)?;
        if let Some(task_scheduler) = &self.task_scheduler {
            task_scheduler.check()?;
        }
        if let Some(network) = &self.network {
            network.check()?;
        }
        self.layout.check()?;
        check_powers_of_two("open_cl", &self.open_cl.powers_of_two())?;
        check_powers_of_two("memory", &self.memory.powers_of_two())
    }

    /// The range of each number. OpenCL's limits come last, since they depend on the machine's.
    fn limits(&self) -> [(&'static str, Vec<Limit<'_>>); 10] {
        let open_cl = &self.open_cl;
        [
            ("clusters", self.clusters.limits()),
            ("array", self.array.limits()),
            ("memory", self.memory.limits()),
            ("dma", self.dma.limits()),
            ("locks", self.locks.limits()),
            ("launch", self.launch.limits()),
            ("layout", self.layout.limits()),
            ("host", self.host.limits()),
            ("open_cl", open_cl.limits(self.memory.ddr.size.value)),
            ("open_cl.images", open_cl.images.limits()),
        ]
    }
}
