//! The machine description: every number of the machine, and its source.

mod accelerator;
mod array;
mod capacities;
mod catalogue;
mod clusters;
mod code_stack_layout;
mod definition;
mod description;
mod dma;
mod error;
mod flatten;
mod host;
mod launch;
mod locks;
mod memories;
mod network;
mod opencl_limits;
mod print;
mod quantity;
mod setting;
mod task_queue_manager;
mod task_scheduler;
#[cfg(test)]
mod tests;
mod unit;

pub use accelerator::{Accelerator, AcceleratorDma, AcceleratorStream, Formula};
pub use array::{Accesses, Array, Code, Division, Latencies, Registers, Slots};
pub use capacities::{Capacities, Exceeded, Excess, KernelMemory};
pub use catalogue::{SHIPPED, Shipped};
pub use clusters::{Affinity, AffinityDomain, Clusters};
pub use code_stack_layout::{CodeMemory, CodeStackLayout, DefaultLayout};
pub use definition::{Change, Description, Identity};
pub use description::{LARGEST_FILE, MT3000, Machine};
pub use dma::Dma;
pub use error::{MachineError, SettingError};
pub use flatten::{Entry, flatten};
pub use host::HostCosts;
pub use launch::{Completion, LaunchCosts, LaunchModel, Runtime, Start, Synchronisation};
pub use locks::LockCosts;
pub use memories::{
    ArrayMemory, ClusterMemory, DataCache, Memories, PerMemory, Port, ProgramCache, ScalarMemory,
    Scratchpad, SharedMemory,
};
pub use network::{Network, Topology};
pub use opencl_limits::{ImageLimits, OpenClLimits};
pub use quantity::{Quantity, Source};
pub use setting::split_settings;
pub use task_queue_manager::{EnqueueMode, ManagedMemory, Policy, TaskQueueManager};
pub use task_scheduler::{
    BranchCosts, Bus, Dispatch, FrontEnd, MemoryTracker, ReservationStations, Scheduling,
    SoftwareCosts, Speculation, TaskScheduler,
};
pub use unit::parse_bytes;
