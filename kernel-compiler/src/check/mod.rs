//! Checks compiled into kernels (`MOCL3_CHECK`). They are inserted before work-group function
//! formation and vectorisation, which treat them as any other code.
//!
//! - `dma`: each access reports its address.
//! - `memory`: each access is under a branch on whether it is within the object that its pointer
//!   comes from. `provenance` finds that object, `bounds` computes what may be accessed of it and
//!   `memory` inserts the branches.

mod bounds;
pub mod dma;
pub mod memory;
mod provenance;
mod sites;

use crate::ir::ModuleRef;
pub use crate::kernel::checks::Checks;
use crate::kernel::interface::KernelInterface;
use host_exec::dma_checker::Site;
use host_exec::memory_checker::AccessTable;
use serde::{Deserialize, Serialize};

/// What the numbers in the reports of checked code mean.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CheckTables {
    /// Of `Checks::DMA`: the accesses and transfers.
    pub dma: Option<Vec<Site>>,
    /// Of `Checks::MEMORY`.
    pub memory: Option<AccessTable>,
}

/// Inserts checks into the module of a kernel.
pub fn instrument(module: ModuleRef, interface: &KernelInterface, checks: Checks) -> CheckTables {
    let memory = checks
        .contains(Checks::MEMORY)
        .then(|| memory::insert(module, interface));
    let dma = checks
        .contains(Checks::DMA)
        .then(|| dma::insert(module, interface));
    CheckTables { dma, memory }
}
