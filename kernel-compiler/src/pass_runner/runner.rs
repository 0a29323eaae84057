//! The passes by name.

use super::error::PassError;
use super::input::{Input, Output};
use super::{analyses, interchanges, transformations};
use crate::guard;
use crate::ir::Context;
use crate::passes::{
    index_narrowing, integer_narrowing, interleaved_vectors, lower_masked_access, streaming_store,
    varying_trip_counts, wide_masks,
};
use crate::vectorize;
use crate::work_group::{small_ids, uniform_trip_counts};

/// A pass of the compiler.
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    run: fn(&Input<'_>) -> Output,
}

/// All passes, in the order in which the compiler runs them.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "sine_and_cosine",
        summary: "merges the sine and the cosine of one angle",
        run: transformations::merge_sine_and_cosine,
    },
    Pass {
        name: "checked_printf",
        summary: "the same of code to be checked, which reads strings",
        run: transformations::lower_checked_printf,
    },
    Pass {
        name: "printf",
        summary: "lowers calls of printf",
        run: transformations::lower_printf,
    },
    Pass {
        name: "safe_division",
        summary: "replaces divisors for which a division is undefined",
        run: transformations::guard_divisions,
    },
    Pass {
        name: "link",
        summary: "adds builtin functions, inlines functions with barriers or local memory",
        run: transformations::complete,
    },
    Pass {
        name: "components",
        summary: "narrows accesses of vectors to the components that are used",
        run: transformations::narrow_components,
    },
    Pass {
        name: "memory_checks",
        summary: "checks the bounds of memory accesses",
        run: transformations::check_memory,
    },
    Pass {
        name: "dma_checks",
        summary: "compares memory accesses with transfers that are not waited for",
        run: transformations::check_dma,
    },
    Pass {
        name: "race_checks",
        summary: "compares memory accesses with those of other work-items",
        run: transformations::check_races,
    },
    Pass {
        name: "constant_local_size",
        summary: "replaces queries of the local size by constants",
        run: transformations::fix_local_size,
    },
    Pass {
        name: "constant_loads",
        summary: "marks loads of constant memory as invariant",
        run: transformations::mark_constant_loads,
    },
    Pass {
        name: "image_specialisation",
        summary: "replaces known formats of images and bits of samplers by constants",
        run: transformations::specialise,
    },
    Pass {
        name: "local_variables",
        summary: "places variables in local memory",
        run: transformations::lower_local_variables,
    },
    Pass {
        name: "control_flow",
        summary: "prints loops, cycles and regions of influence of branches",
        run: analyses::find_control_flow,
    },
    Pass {
        name: "uniformity",
        summary: "prints which blocks and values are uniform",
        run: analyses::find_uniformity,
    },
    Pass {
        name: "grid_stride",
        summary: "moves grid-stride loops around the loops over work-items",
        run: interchanges::interchange_grid_stride_loops,
    },
    Pass {
        name: "loop_interchange",
        summary: "moves uniform loops around the loops over work-items",
        run: interchanges::interchange_loops,
    },
    Pass {
        name: "distant_rows",
        summary: "moves loops that store distant rows around the loops over work-items",
        run: interchanges::interchange_walks_over_distant_rows,
    },
    Pass {
        name: "small_ids",
        summary: "adds bounds of ids and sizes in small launches",
        run: |input| transformations::on_kernel(input, small_ids::mark),
    },
    Pass {
        name: "uniform_trip_counts",
        summary: "counts the iterations of loops that all work-items execute equally often",
        run: |input| transformations::on_kernel(input, uniform_trip_counts::count),
    },
    Pass {
        name: "barrier_split",
        summary: "splits blocks at barriers",
        run: transformations::split_at_barriers,
    },
    Pass {
        name: "region",
        summary: "prints the regions between barriers",
        run: analyses::find_regions,
    },
    Pass {
        name: "joins",
        summary: "prints the regions between barriers and the joins of conditional ones",
        run: analyses::find_regions_with_joins,
    },
    Pass {
        name: "cross_barrier_values",
        summary: "rematerialises values across barriers or stores them",
        run: transformations::demote_cross_barrier_values,
    },
    Pass {
        name: "emit",
        summary: "emits the work-group function",
        run: transformations::form,
    },
    Pass {
        name: "disjoint_or",
        summary: "replaces disjoint or by add",
        run: |input| transformations::on_kernel(input, vectorize::disjoint_ors_to_adds),
    },
    Pass {
        name: "index_narrowing",
        summary: "recovers 32-bit indices whose strides are hidden",
        run: |input| transformations::on_kernel(input, index_narrowing::narrow_indices),
    },
    Pass {
        name: "integer_narrowing",
        summary: "computes with 16 bits what is loaded with 8 or 16 and fits",
        run: |input| transformations::on_kernel(input, integer_narrowing::narrow_expressions),
    },
    Pass {
        name: "guard_versions",
        summary: "adds code for vectors of which all lanes pass a guard",
        run: transformations::add_guard_versions,
    },
    Pass {
        name: "nest_jam",
        summary: "executes several iterations of a work-item's outer loops at once",
        run: transformations::jam_nests,
    },
    Pass {
        name: "window_loops",
        summary: "has lanes run loops over windows that bounds cut off together",
        run: transformations::join_window_loops,
    },
    Pass {
        name: "row_walks",
        summary: "has lanes that walk along rows load several elements at once",
        run: transformations::block_row_walks,
    },
    Pass {
        name: "vectorize",
        summary: "vectorises the loops over work-items",
        run: transformations::vectorize_loops,
    },
    Pass {
        name: "unroll_and_jam",
        summary: "runs several rows of work-items in one iteration",
        run: transformations::unroll_and_jam,
    },
    Pass {
        name: "loop_distribution",
        summary: "distributes loops that need too many registers",
        run: transformations::distribute_loops,
    },
    Pass {
        name: "cost",
        summary: "prints the cost of each block on the simulated machine",
        run: analyses::estimate_cost,
    },
    Pass {
        name: "instrumentation",
        summary: "adds the counters of timed code",
        run: transformations::instrument,
    },
    Pass {
        name: "footprints",
        summary: "records what work-groups load of arguments",
        run: transformations::record_footprints,
    },
    Pass {
        name: "counter_slice",
        summary: "reduces timed code to what its counters depend on",
        run: transformations::slice_counters,
    },
    Pass {
        name: "lower_masked_access",
        summary: "lowers masked loads and stores for hosts without mask registers",
        run: |input| transformations::on_kernel(input, lower_masked_access::rewrite),
    },
    Pass {
        name: "narrow_inductions",
        summary: "hides narrow inductions in addresses from LLVM's loop vectoriser",
        run: transformations::hide_narrow_inductions,
    },
    Pass {
        name: "alignment_checks",
        summary: "raises exceptions of misaligned accesses in device C",
        run: transformations::check_alignment,
    },
    Pass {
        name: "single_lane_store",
        summary: "turns masked stores of one lane into scalar stores",
        run: transformations::scalarize_single_lane_stores,
    },
    Pass {
        name: "rounded_half",
        summary: "converts rounded halves to floats before integers",
        run: transformations::widen_rounded_halves,
    },
    Pass {
        name: "interleaved_vectors",
        summary: "leaves OpenCL vectors of all lanes as they lie in memory",
        run: |input| transformations::on_kernel(input, interleaved_vectors::join),
    },
    Pass {
        name: "wide_masks",
        summary: "widens conditions of all lanes to the compared size for hosts without mask registers",
        run: |input| transformations::on_kernel(input, |kernel| wide_masks::widen(kernel, 256)),
    },
    Pass {
        name: "streaming_store",
        summary: "stores lines past the caches in large launches, to buffers that are not read",
        run: |input| transformations::on_kernel(input, streaming_store::select),
    },
    Pass {
        name: "varying_trip_counts",
        summary: "keeps loops rolled whose number of iterations differs between work-items",
        run: |input| transformations::on_kernel(input, varying_trip_counts::keep_rolled),
    },
    Pass {
        name: "simplify_work_item",
        summary: "simplifies the code of one work-item before it is vectorised",
        run: transformations::simplify_work_item,
    },
    Pass {
        name: "branching_stores",
        summary: "stores each lane's element without branches where hosts have no masked store or scatter",
        run: transformations::lower_branching_stores,
    },
    Pass {
        name: "masked_load",
        summary: "loads whole vectors where hosts have no masked load",
        run: transformations::widen_masked_loads,
    },
    Pass {
        name: "reciprocal_estimates",
        summary: "computes reciprocals, and those of square roots, from the host's estimates",
        run: transformations::lower_reciprocal_estimates,
    },
    Pass {
        name: "static_allocas",
        summary: "moves variables of the stack to the start of their function",
        run: transformations::hoist_static_allocas,
    },
];

/// Runs a pass on a module in textual form; the result is what it found, as comments, and the
/// module as it left it.
///
/// # Errors
/// There is no such pass, the text is not valid LLVM IR, a setting is wrong, or the pass fails.
pub fn run(name: &str, text: &str) -> Result<String, PassError> {
    let pass = PASSES.iter().find(|pass| pass.name == name);
    let pass = pass.ok_or_else(|| PassError::UnknownPass(name.to_owned()))?;
    guard::run(|| {
        let context = Context::create();
        (pass.run)(&Input::read(&context, text)?)
    })
    .unwrap_or_else(|stopped| Err(PassError::Stopped(stopped)))
}
