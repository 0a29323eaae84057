//! Work-group function formation: a kernel, written for one work-item, becomes a
//! function that runs all work-items of a group (MOCL3 paper, section on the kernel
//! compiler; architecture note, decision 4).
//!
//! Barriers cut the kernel into regions. A region is what lies between one cut (or
//! the entry) and the next cuts that can be reached from it, whatever the control
//! flow is: blocks reached from several cuts are copied into each region, or, where that
//! makes too many copies, begin a region of their own. Each
//! region runs for all work-items before the next one starts; which is next, the
//! work-items agree on, as OpenCL demands. So loops with barriers, conditional
//! barriers, several exits and irreducible flow need no special treatment.

pub mod async_copy_events;
pub(crate) mod barrier_split;
pub(crate) mod constant_local_size;
pub(crate) mod cross_barrier_values;
mod emit;
mod joins;
pub(crate) mod local_variables;
pub(crate) mod loop_interchange;
pub(crate) mod nonatomic_local;
pub(crate) mod region;
pub(crate) mod report;

use crate::analysis::cfg::{Cfg, has_cycle};
use crate::analysis::uniformity::Uniformity;
use crate::inspect::stage::{Observer, Stage, show};
use crate::intrinsics::{BARRIER, DMA_TRANSFER};
use crate::ir::{self, Block, Value};
use crate::kernel::interface::KernelInterface;
use crate::kernel::specialisation::Specialisation;
use crate::pipeline::fallback::{Attempt, Optimisation};
use crate::shim::Refused;
use crate::work_items::Lanes;
use llvm_sys::prelude::LLVMModuleRef;
use loop_interchange::Interchanged;
use report::Report;
use serde::{Deserialize, Serialize};

/// Name of every work-group function in its own module.
pub const SYMBOL: &str = "mocl3_work_group_function";

/// What the work-group function needs from whoever calls it, in bytes, and what it is
/// like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// Local memory for the kernel's own `__local` variables.
    pub local_memory: u64,
    /// Private memory of a group, apart from its work-items'.
    pub group_private: u64,
    /// Private memory of each work-item, in the group's private memory.
    pub work_item_private: u64,
    /// Private memory on the stack.
    pub stack: u64,
    /// Private memory in the group's that its work-items use one after another.
    pub in_turn: u64,
    /// The loops over the work-items are the innermost ones, and wide.
    pub innermost: bool,
}

impl Resources {
    /// Private memory that one work-item uses.
    pub fn private_memory(&self) -> u64 {
        self.stack + self.in_turn + self.work_item_private
    }
}

/// What formation made, and of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formation {
    /// What the work-group function needs.
    pub resources: Resources,
    /// Barriers in the kernel.
    pub barriers: usize,
    /// DMA transfers in the kernel.
    pub transfers: usize,
    /// Loops turned inside out.
    pub interchanged_loops: usize,
    /// Regions between the cuts.
    pub regions: usize,
}

/// Makes the work-group function of the kernel `interface.name` in its module. All
/// functions that use work-item queries, barriers or local variables have been
/// inlined into the kernel. The kernel itself is removed.
///
/// # Errors
/// An optimisation of `attempt` failed.
pub fn form(
    module: LLVMModuleRef,
    interface: &KernelInterface,
    specialisation: &Specialisation,
    optimise: bool,
    lanes: Option<Lanes>,
    attempt: &Attempt,
    observer: &mut dyn Observer,
) -> Result<Formation, Refused> {
    let kernel = ir::function(module, &interface.name).expect("the module holds the kernel");
    let calls = |name: &str| {
        let instructions = kernel.instructions();
        instructions.into_iter().filter(|i| i.calls(name)).count()
    };
    let (barriers, transfers) = (calls(BARRIER), calls(DMA_TRANSFER));
    let local_memory = local_variables::lower(module, kernel);
    let for_vectors = lanes.is_none() && specialisation.timed.is_none();
    let turned = if optimise
        && for_vectors
        && has_vectors_of_work_items(specialisation)
        && attempt.allows(Optimisation::LoopInterchange)
    {
        attempt.run(Optimisation::LoopInterchange, || {
            Ok(loop_interchange::run(module, kernel))
        })?
    } else {
        Interchanged::default()
    };
    let cuts = barrier_split::split(kernel);
    let uniformity = optimise.then(|| Uniformity::find(kernel, &Cfg::of(kernel)));
    let mut regions =
        region::Regions::find(kernel, &cuts).map_err(|too_many| Refused(too_many.to_string()))?;
    let rematerialised = cross_barrier_values::rematerialise(kernel, &regions);
    let mut slots = cross_barrier_values::demote(kernel, &regions, uniformity.as_ref());
    if let Some(uniformity) = &uniformity
        && regions.regions.len() > 1
    {
        let uniform = slots.iter().filter(|slot| slot.uniform);
        let uniform = uniform.map(|slot| slot.alloca).collect();
        regions.mark_uniform_regions(uniformity, &uniform);
    }
    slots.extend(turned.slots);
    let number = lanes.map(|lanes| lanes.count);
    let private = cross_barrier_values::private_arrays(
        module,
        kernel,
        &regions,
        &slots,
        &turned.shared,
        number,
    );
    show(observer, Stage::Regions, || {
        let report = Report {
            module,
            kernel,
            regions: &regions,
            rematerialised: &rematerialised,
            slots: &slots,
            private: &private,
        };
        report.to_string()
    });
    let innermost = has_vectors_of_work_items(specialisation) && !regions.have_loops();
    let resources = emit::emit(
        module,
        kernel,
        interface,
        specialisation,
        &emit::Parts {
            regions: &regions,
            slots: &slots,
            private: &private,
            lanes,
            slots_in_registers: optimise,
        },
        observer.wants(Stage::WorkGroupFunction),
    );
    Ok(Formation {
        resources: Resources {
            local_memory,
            innermost,
            ..resources
        },
        barriers,
        transfers,
        interchanged_loops: turned.loops,
        regions: regions.regions.len(),
    })
}

/// Whether a function has a loop.
pub fn has_loop(function: Value) -> bool {
    has_cycle(function.entry_block(), Block::successors)
}

/// Whether groups are wide enough along x for vectors.
fn has_vectors_of_work_items(specialisation: &Specialisation) -> bool {
    specialisation.local_size.is_none_or(|size| size[0] >= 4)
}

#[cfg(test)]
mod tests;
