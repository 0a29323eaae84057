//! Checks compiled into kernels (`MOCL3_CHECK`). They are inserted before work-group function
//! formation and vectorisation, which treat them as any other code.
//!
//! - `dma`: each access is compared with the memory that pending asynchronous copies access.
//! - `barriers`: where the arguments of asynchronous copies differ between work-items, these report
//!   them. Where work-items arrive, work-group function formation has them say in any code.
//! - `memory`: each access is under a branch on whether it is within the object that its pointer
//!   comes from. `provenance` finds that object, `bounds` computes what may be accessed of it and
//!   `memory` inserts the branches, `images` those on coordinates of images.
//! - `races`: each access is compared with the last write and the last read of the same memory.
//! - `uninitialised`: after checks of memory, LLVM's MemorySanitizer computes which bits of values are
//!   undefined, and each use of such a value is reported.

pub(crate) mod access;
pub mod barriers;
mod bounds;
mod calls;
pub mod components;
pub mod constant_loads;
pub mod dma;
pub mod first_values;
pub mod images;
pub mod memory;
pub(crate) mod omission;
pub(crate) mod places;
pub(crate) mod provenance;
pub(crate) mod races;
mod sites;
mod target;
pub mod uninitialised;

use crate::ir::{self, Module};
pub use crate::kernel::checks::Checks;
use crate::kernel::interface::KernelInterface;
use host_exec::barrier::checker::BarrierTable;
use host_exec::definedness::uses::UseTable;
use host_exec::memory_checker::access_table::AccessTable;
use host_exec::races::checker::RaceTable;
use serde::{Deserialize, Serialize};

/// What the numbers in the reports of checked code mean.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CheckTables {
    /// Of `Checks::DMA`: the accesses and transfers; of `Checks::TRANSFERS`: the transfers.
    pub dma: Option<AccessTable>,
    /// Of `Checks::MEMORY`.
    pub memory: Option<AccessTable>,
    /// Of `Checks::BARRIERS`.
    pub barriers: Option<BarrierTable>,
    /// Of `Checks::UNINITIALISED`.
    pub uninitialised: Option<UseTable>,
    /// Of `Checks::RACES`.
    pub races: Option<RaceTable>,
}

/// Inserts checks into the module of a kernel.
pub fn instrument(module: &Module<'_>, interface: &KernelInterface, checks: Checks) -> CheckTables {
    let is_tracked = checks.contains(Checks::UNINITIALISED);
    if let Some(kernel) = ir::function(module.handle(), &interface.name) {
        for global in ir::globals(module.handle()) {
            global.expand_constant_users(kernel);
        }
    }
    components::narrow(module.handle());
    access::mark(module.handle());
    for function in ir::functions(module.handle()) {
        if !is_tracked || function.name() != interface.name {
            first_values::drop_markers(function);
        }
    }
    // Before checks of accesses change the arguments of transfers.
    let barriers = checks
        .contains(Checks::BARRIERS)
        .then(|| barriers::insert(module.handle(), interface, checks));
    let memory = checks
        .contains(Checks::MEMORY)
        .then(|| memory::insert(module.handle(), interface, checks.contains(Checks::FLAGS)));
    let uninitialised = is_tracked.then(|| uninitialised::insert(module, interface));
    let races = checks
        .contains(Checks::RACES)
        .then(|| races::insert(module.handle(), interface));
    let dma = checks
        .intersects(Checks::DMA | Checks::TRANSFERS)
        .then(|| dma::insert(module.handle(), interface, checks.contains(Checks::DMA)));
    access::unmark(module.handle());
    constant_loads::release(module.handle());
    CheckTables {
        dma,
        memory,
        barriers,
        uninitialised,
        races,
    }
}
