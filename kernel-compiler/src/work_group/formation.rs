//! The steps that turn a kernel into its work-group function.

use super::cross_barrier_values::{self, Slot};
use super::emit::{self, Parts};
use super::interchange_profitability::LoopAccesses;
use super::loop_interchange::{self, Candidates, Interchanged};
use super::private_arrays::PrivateArray;
use super::region::Regions;
use super::report::Report;
use super::resources::Resources;
use super::rotated_loop::RotatedLoop;
use super::{barrier_split, grid_stride, local_variables, private_arrays, slot_coalescing};
use crate::analysis::cfg::{Cfg, has_cycle};
use crate::analysis::uniformity::Uniformity;
use crate::check;
use crate::inspect::stage::{Observer, Stage, show};
use crate::intrinsics::{BARRIER, DMA_TRANSFER};
use crate::ir::{self, Block, ModuleRef, Value};
use crate::kernel::checks::Checks;
use crate::kernel::interface::KernelInterface;
use crate::kernel::resource_use::PrivateMemoryUse;
use crate::kernel::specialisation::Specialisation;
use crate::pipeline::fallback::{Attempt, Optimisation};
use crate::shim::Refused;
use crate::work_items::Lanes;
use host_exec::barrier::checker::BarrierSite;
use std::ops::Range;

/// Work-items along x from which loops over them are worth vectorising.
const MIN_VECTORISED_ITEMS: u64 = 4;

/// Facts about a work-group function and the kernel that it was formed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formation {
    /// What the work-group function needs.
    pub resources: Resources,
    /// Barriers in the kernel.
    pub barriers: usize,
    /// DMA transfers in the kernel.
    pub transfers: usize,
    /// Loops interchanged with those over the work-items.
    pub interchanged_loops: usize,
    /// Regions between the barriers.
    pub regions: usize,
    /// Of code that checks its barriers: the barrier that each region follows, in the source.
    pub barrier_sites: Vec<Option<BarrierSite>>,
    /// Ranges of the slots that the group shares in its private memory, in bytes.
    pub group_slots: Vec<Range<u64>>,
}

/// The regions of a kernel, and where values that live across barriers are kept.
struct SplitKernel {
    regions: Regions,
    rematerialised: Vec<Value>,
    slots: Vec<Slot>,
    private: Vec<PrivateArray>,
    /// The variable with the exit at which a work-item has left a region, if they may differ.
    arrival: Option<Value>,
    /// By region: the barrier that it follows, in the source. Empty if that does not matter.
    barrier_sites: Vec<Option<BarrierSite>>,
}

/// Makes the work-group function of the kernel `interface.name` in its module, and removes the
/// kernel. All functions that use work-item queries, barriers or local variables have been inlined
/// into the kernel.
///
/// # Errors
/// An optimisation of `attempt` failed, or the regions hold too many copies of blocks.
pub fn form(
    module: ModuleRef,
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
    let interchanged = if optimise && attempt.allows(Optimisation::LoopInterchange) {
        attempt.run(Optimisation::LoopInterchange, || {
            Ok(interchange(module, kernel, specialisation, lanes))
        })?
    } else {
        Interchanged::default()
    };
    let interchanged_loops = interchanged.loops;
    let count = lanes.map(|lanes| lanes.count);
    let checks_barriers = specialisation.checks.contains(Checks::BARRIERS);
    let sites = checks_barriers.then(|| check::barriers::sites(kernel));
    let split = SplitKernel::new(module, kernel, optimise, interchanged, count, sites)?;
    show(observer, Stage::Regions, || split.report(module, kernel));
    let regions = &split.regions;
    let innermost = has_vectors_of_work_items(specialisation) && !regions.have_loops();
    let parts = Parts {
        regions,
        slots: &split.slots,
        private: &split.private,
        arrival: split.arrival,
        lanes,
        slots_in_registers: optimise,
    };
    let is_named = observer.wants(Stage::WorkGroupFunction);
    let (resources, group_slots) =
        emit::emit(module, kernel, interface, specialisation, &parts, is_named);
    Ok(Formation {
        resources: Resources {
            local_memory,
            innermost,
            private: PrivateMemoryUse {
                is_optimised: optimise,
                ..resources.private
            },
            ..resources
        },
        barriers,
        transfers,
        interchanged_loops,
        regions: regions.regions.len(),
        barrier_sites: split.barrier_sites,
        group_slots,
    })
}

impl SplitKernel {
    /// Splits a kernel at its barriers and gives the values that live across them a place.
    fn new(
        module: ModuleRef,
        kernel: Value,
        optimise: bool,
        interchanged: Interchanged,
        lanes: Option<u32>,
        sites: Option<Vec<Option<BarrierSite>>>,
    ) -> Result<Self, Refused> {
        let mut barriers = barrier_split::split(kernel);
        let uniformity = Uniformity::find(kernel, &Cfg::compute(kernel), |block| {
            barriers.is_barrier(block)
        });
        barriers.are_distinct = !uniformity.separating().is_empty();
        if sites.is_some() {
            check::barriers::remove_needless(kernel, &uniformity);
        }
        let mut regions =
            Regions::find(kernel, &barriers).map_err(|too_many| Refused(too_many.to_string()))?;
        regions.mark_separations(uniformity.separating());
        let barrier_sites = sites.map(|sites| regions.followed_barriers(&barriers, &sites));
        let uniformity = optimise.then_some(uniformity);
        let rematerialised =
            cross_barrier_values::rematerialise(kernel, &regions, uniformity.as_ref());
        let mut slots = cross_barrier_values::demote(kernel, &regions, uniformity.as_ref());
        if let Some(uniformity) = &uniformity
            && regions.regions.len() > 1
        {
            let uniform = slots.iter().filter(|slot| slot.uniform);
            let uniform = uniform.map(|slot| slot.alloca).collect();
            regions.mark_uniform_regions(uniformity, &uniform);
        }
        if optimise {
            slots = slot_coalescing::coalesce(kernel, slots);
        }
        slots.extend(interchanged.slots);
        let shared = &interchanged.shared;
        let mut private = private_arrays::find(module, kernel, &regions, &slots, shared, lanes);
        let separates = regions.regions.iter().any(|region| region.separates);
        let arrival = separates.then(|| PrivateArray::of_arrival(kernel));
        private.extend(arrival);
        let arrival = arrival.map(|array| array.alloca);
        Ok(Self {
            regions,
            rematerialised,
            slots,
            private,
            arrival,
            barrier_sites: barrier_sites.unwrap_or_default(),
        })
    }

    fn report(&self, module: ModuleRef, kernel: Value) -> String {
        let report = Report {
            module,
            kernel,
            regions: &self.regions,
            rematerialised: &self.rematerialised,
            slots: &self.slots,
            private: &self.private,
        };
        report.to_string()
    }
}

/// Whether a function has a loop.
pub fn has_loop(function: Value) -> bool {
    has_cycle(function.entry_block(), Block::successors)
}

/// Interchanges loops of untimed code with those over the work-items.
fn interchange(
    module: ModuleRef,
    kernel: Value,
    specialisation: &Specialisation,
    lanes: Option<Lanes>,
) -> Interchanged {
    let mut interchanged = Interchanged::default();
    if specialisation.timed.is_some() {
        return interchanged;
    }
    if let Some(local_size) = specialisation.local_size {
        let small_launch = specialisation.small_launch;
        interchanged.add(grid_stride::run(module, kernel, local_size, small_launch));
    }
    match lanes {
        // LLVM's vectoriser needs innermost loops.
        None if has_vectors_of_work_items(specialisation) => {
            let lanes = Lanes {
                count: MIN_VECTORISED_ITEMS as u32,
                dimension: 0,
            };
            let accesses = LoopAccesses::new(kernel, lanes);
            let gains =
                |l: &RotatedLoop, candidates: &Candidates<'_>| accesses.gain_vectors(l, candidates);
            interchanged.add(loop_interchange::run(module, kernel, gains));
        }
        Some(lanes) if has_several_vectors(specialisation, lanes) => {
            let accesses = LoopAccesses::new(kernel, lanes);
            let are_distant_rows = |l: &RotatedLoop, candidates: &Candidates<'_>| {
                accesses.are_distant_rows(l, candidates)
            };
            interchanged.add(loop_interchange::run(module, kernel, are_distant_rows));
        }
        _ => {}
    }
    interchanged
}

/// Whether a group has more work-items than a vector has lanes.
fn has_several_vectors(specialisation: &Specialisation, lanes: Lanes) -> bool {
    let size = specialisation.local_size;
    size.is_some_and(|[x, y, z]| x * y * z > u64::from(lanes.count))
}

/// Whether groups are wide enough along x for vectors.
fn has_vectors_of_work_items(specialisation: &Specialisation) -> bool {
    let size = specialisation.local_size;
    size.is_none_or(|size| size[0] >= MIN_VECTORISED_ITEMS)
}
