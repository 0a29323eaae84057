//! Passes that transform a kernel.

use super::error::PassError;
use super::input::{Input, Output, comments};
use crate::analysis::cfg::Cfg;
use crate::analysis::uniformity::Uniformity;
use crate::check::{access, components, dma, memory, races};
use crate::inspect::stage::{Observer, Stage};
use crate::intrinsics::address_space;
use crate::ir::Value;
use crate::kernel::interface::{self, ArgumentKind, KernelArgument, KernelInterface};
use crate::kernel::specialisation;
use crate::passes::counter_slice;
use crate::passes::footprints;
use crate::passes::image_specialisation;
use crate::passes::instrumentation;
use crate::passes::lower_masked_access;
use crate::passes::{masked_load, nest_jam, reciprocal_estimates, rounded_half, safe_division};
use crate::passes::{sine_and_cosine, single_lane_store, static_allocas};
use crate::pipeline::fallback::Attempt;
use crate::pipeline::prepare::SIMPLIFY_WORK_ITEM;
use crate::work_group::region::Regions;
use crate::work_group::report::Report;
use crate::work_group::{
    self, barrier_split, cross_barrier_values, local_variables, private_arrays, slot_coalescing,
};
use crate::work_items::Lanes;
use crate::work_items::timing_markers;
use crate::{device_cost_model, link, printf, target, vectorize};
use device_sim::machine::Machine;
use host_exec::memory_checker::access_table::CheckedObject;
use host_exec::races::shadows::RaceFree;

pub fn specialise(input: &Input<'_>) -> Output {
    let interface = KernelInterface {
        name: input.kernel()?.name(),
        arguments: input
            .arguments
            .iter()
            .map(|kind| KernelArgument::of_kind(*kind))
            .collect(),
        argument_block_size: 8 * input.arguments.len(),
        required_work_group_size: None,
        attributes: String::new(),
        has_barriers: false,
    };
    let machine = target::machine(true);
    image_specialisation::specialise(&input.module, &interface, &input.specialisation, &machine)?;
    input.text()
}

/// The interface of a kernel that is given as IR.
fn interface_of(kernel: Value) -> KernelInterface {
    let arguments = kernel.parameters().into_iter().map(|parameter| {
        let space = match parameter.ty().is_pointer() {
            true => parameter.ty().address_space(),
            false => address_space::PRIVATE,
        };
        KernelArgument {
            name: parameter.name(),
            ..KernelArgument::of_kind(match space {
                address_space::GLOBAL => ArgumentKind::GlobalPointer,
                address_space::CONSTANT => ArgumentKind::ConstantPointer,
                address_space::LOCAL => ArgumentKind::LocalPointer,
                _ => ArgumentKind::Value,
            })
        }
    });
    KernelInterface {
        name: kernel.name(),
        arguments: arguments.collect(),
        argument_block_size: 8 * kernel.parameters().len(),
        required_work_group_size: None,
        attributes: String::new(),
        has_barriers: false,
    }
}

pub fn check_races(input: &Input<'_>) -> Output {
    let interface = interface_of(input.kernel()?);
    let module = input.module.handle();
    access::mark(module);
    let memory = races::insert(module, &interface).memory;
    access::unmark(module);
    let race_free = memory.race_free.iter().map(|(index, why)| match why {
        RaceFree::Atomic => format!("argument {index}: atomic"),
        RaceFree::Own(own) => format!("argument {index}: {own:?}"),
    });
    let race_free: Vec<String> = race_free.collect();
    input.text_with(&format!(
        "granules of {} and {} bytes, written arguments {:?}, race-free [{}]",
        memory.global_granule,
        memory.local_granule,
        memory.written,
        race_free.join(", ")
    ))
}

pub fn check_dma(input: &Input<'_>) -> Output {
    let interface = interface_of(input.kernel()?);
    let module = input.module.handle();
    access::mark(module);
    let table = dma::insert(module, &interface, true);
    access::unmark(module);
    input.text_with(&format!("sites: {}", table.sites.len()))
}

pub fn narrow_components(input: &Input<'_>) -> Output {
    components::narrow(input.module.handle());
    input.text()
}

pub fn check_memory(input: &Input<'_>) -> Output {
    let interface = interface_of(input.kernel()?);
    let table = memory::insert(input.module.handle(), &interface, false);
    let objects = table.objects.iter().map(|object| match object {
        CheckedObject::Argument { name, .. } => format!("argument {name}"),
        CheckedObject::Variable { name, bytes, .. } => format!("variable {name}, {bytes} bytes"),
    });
    let objects: Vec<String> = objects.collect();
    input.text_with(&format!(
        "checked: {} accesses\nobjects: {}",
        table.sites.len(),
        objects.join("; ")
    ))
}

pub fn complete(input: &Input<'_>) -> Output {
    match link::complete(&input.module) {
        // Metadata names the compilers of the builtin library.
        Ok(()) => Ok(input
            .text()?
            .split("\n!")
            .next()
            .unwrap_or_default()
            .trim_end()
            .to_owned()
            + "\n"),
        Err(failure) => Ok(comments(&failure.log)),
    }
}

pub fn lower_printf(input: &Input<'_>) -> Output {
    printf::lower(input.module.handle(), false);
    input.text()
}

pub fn lower_checked_printf(input: &Input<'_>) -> Output {
    printf::lower(input.module.handle(), true);
    input.text()
}

pub fn guard_divisions(input: &Input<'_>) -> Output {
    safe_division::guard(input.module.handle());
    input.text()
}

/// Has a transformation change the kernel.
pub fn on_kernel(input: &Input<'_>, transform: impl FnOnce(Value)) -> Output {
    transform(input.kernel()?);
    input.text()
}

pub fn merge_sine_and_cosine(input: &Input<'_>) -> Output {
    sine_and_cosine::merge(input.module.handle());
    input.text()
}

pub fn scalarize_single_lane_stores(input: &Input<'_>) -> Output {
    single_lane_store::scalarize(input.module.handle());
    input.text()
}

pub fn widen_rounded_halves(input: &Input<'_>) -> Output {
    rounded_half::widen(input.module.handle());
    input.text()
}

/// Of 32 and more bits on a host with AVX2.
fn has_masked_access(input: &Input<'_>) -> impl Fn(u64) -> bool {
    let first_host = input.first_host;
    move |bits| !first_host && bits >= 32
}

pub fn lower_branching_stores(input: &Input<'_>) -> Output {
    let module = input.module.handle();
    lower_masked_access::rewrite_branching_stores(module, has_masked_access(input));
    input.text()
}

pub fn widen_masked_loads(input: &Input<'_>) -> Output {
    masked_load::widen(input.module.handle(), has_masked_access(input));
    input.text()
}

pub fn lower_reciprocal_estimates(input: &Input<'_>) -> Output {
    reciprocal_estimates::lower(input.module.handle(), !input.first_host);
    input.text()
}

pub fn hide_narrow_inductions(input: &Input<'_>) -> Output {
    input.run_passes("function(hide-narrow-inductions)")?;
    input.text()
}

pub fn check_alignment(input: &Input<'_>) -> Output {
    input.run_passes("function(alignment-checks)")?;
    input.text()
}

pub fn hoist_static_allocas(input: &Input<'_>) -> Output {
    static_allocas::hoist(input.module.handle());
    input.text()
}

pub fn mark_constant_loads(input: &Input<'_>) -> Output {
    image_specialisation::mark_constant_loads(input.module.handle());
    input.text()
}

pub fn lower_local_variables(input: &Input<'_>) -> Output {
    let bytes = local_variables::lower(input.module.handle(), input.kernel()?);
    let facts = format!("local memory: {bytes} bytes");
    input.text_with(&facts)
}

pub fn split_at_barriers(input: &Input<'_>) -> Output {
    let barriers = barrier_split::split(input.kernel()?);
    let facts = format!("splits: {}", barriers.after.len());
    input.text_with(&facts)
}

pub fn demote_cross_barrier_values(input: &Input<'_>) -> Output {
    let kernel = input.kernel()?;
    let module = input.module.handle();
    let barriers = barrier_split::split(kernel);
    let uniformity = Uniformity::find(kernel, &Cfg::compute(kernel), |block| {
        barriers.is_barrier(block)
    });
    let regions = Regions::find(kernel, &barriers);
    let regions = regions.map_err(|excess| PassError::Refused(excess.to_string()))?;
    let rematerialised = cross_barrier_values::rematerialise(kernel, &regions, Some(&uniformity));
    let slots = cross_barrier_values::demote(kernel, &regions, Some(&uniformity));
    let slots = slot_coalescing::coalesce(kernel, slots);
    let private = private_arrays::find(module, kernel, &regions, &slots, &[], None);
    let report = Report {
        module,
        kernel,
        regions: &regions,
        rematerialised: &rematerialised,
        slots: &slots,
        private: &private,
    };
    let mut facts = String::new();
    report.write_places(&mut facts).expect("a String takes all");
    input.text_with(&facts)
}

/// Makes work-group formation name values.
struct Reader;

impl Observer for Reader {
    fn wants(&self, stage: Stage) -> bool {
        stage == Stage::WorkGroupFunction
    }

    fn see(&mut self, _stage: Stage, _text: &str) {}
}

/// The vector unit of all tests, whatever the host has.
const VECTORS: vectorize::VectorUnit = vectorize::VectorUnit {
    register_bits: 256,
    registers: 16,
    halves: true,
    mask_registers: true,
    gather_instruction: false,
    masked_table_gathers: true,
    learns_all_conflicts: false,
    timed: false,
};

/// A vector unit like AVX-512, where the cost model chooses the lanes.
const WIDE_VECTORS: vectorize::VectorUnit = vectorize::VectorUnit {
    register_bits: 512,
    registers: 32,
    gather_instruction: true,
    ..VECTORS
};

pub fn add_guard_versions(input: &Input<'_>) -> Output {
    vectorize::add_guard_versions(input.kernel()?, input.lanes, VECTORS);
    input.text()
}

pub fn jam_nests(input: &Input<'_>) -> Output {
    nest_jam::run(input.kernel()?, input.specialisation.separate_objects);
    input.text()
}

pub fn join_window_loops(input: &Input<'_>) -> Output {
    vectorize::join_window_loops(input.kernel()?, input.lanes, VECTORS);
    input.text()
}

pub fn block_row_walks(input: &Input<'_>) -> Output {
    vectorize::block_row_walks(input.kernel()?, input.lanes, VECTORS);
    input.text()
}

pub fn lanes_along_x(input: &Input<'_>) -> Lanes {
    Lanes {
        count: input.lanes,
        dimension: 0,
    }
}

pub fn vectorize_loops(input: &Input<'_>) -> Output {
    let kernel = input.kernel()?;
    let lanes = lanes_along_x(input);
    let vectors = if input.by_cost { WIDE_VECTORS } else { VECTORS };
    let facts = match vectorize::vectorize(kernel, lanes, vectors, input.by_cost) {
        Ok(vectorized) if input.by_cost => {
            let (loops, number) = (vectorized.loops.len(), vectorized.lanes.count);
            return Ok(format!(
                "; loops: {loops}\n; lanes: {number}, {}\n",
                vectorized.cost
            ));
        }
        Ok(vectorized) => format!("loops: {}", vectorized.loops.len()),
        Err(rejected) => return Ok(format!("; rejected: {}\n", rejected.reason)),
    };
    // Variables between blocks would be most of the text.
    let passes = "function(sroa<modify-cfg>,simplifycfg,instsimplify)";
    input.run_passes(passes)?;
    input.text_with(&facts)
}

pub fn simplify_work_item(input: &Input<'_>) -> Output {
    input.run_passes(SIMPLIFY_WORK_ITEM)?;
    input.text()
}

pub fn unroll_and_jam(input: &Input<'_>) -> Output {
    let jammed = vectorize::unroll_and_jam(input.kernel()?, VECTORS);
    // The dead counter of single rows.
    input.run_passes("function(dce)")?;
    let facts = match jammed.as_slice() {
        [] => "unroll and jam: none".to_owned(),
        jammed => {
            let counts: Vec<u32> = jammed.iter().map(|of| of.factor).collect();
            format!("unroll and jam: {counts:?}")
        }
    };
    input.text_with(&facts)
}

pub fn fix_local_size(input: &Input<'_>) -> Output {
    let size = input.specialisation.local_size;
    let size = size.ok_or(PassError::MissingSetting("local size: <x>,<y>,<z>"))?;
    work_group::constant_local_size::fix(input.kernel()?, size);
    input.text()
}

pub fn distribute_loops(input: &Input<'_>) -> Output {
    let divided = vectorize::distribute_loops(input.kernel()?, VECTORS);
    // Dead code of the last loop.
    input.run_passes("function(dce)")?;
    input.text_with(&format!("parts: {divided:?}"))
}

pub fn instrument(input: &Input<'_>) -> Output {
    let function = input.kernel()?;
    let instructions = function.instructions().into_iter();
    let markers = instructions.filter(|one| instrumentation::counts_active_lanes(*one));
    let lane_counters = markers
        .flat_map(
            |marker| match timing_markers::marks_predicated_lanes(marker) {
                true => vec![
                    instrumentation::LaneCounter::of_any_lane(marker),
                    instrumentation::LaneCounter::of_lanes(marker),
                ],
                false => vec![instrumentation::LaneCounter::of_lanes(marker)],
            },
        )
        .collect();
    let plan = instrumentation::Plan {
        lane_counters,
        ..Default::default()
    };
    instrumentation::insert(function, &plan);
    input.text()
}

/// Names arguments after their offsets.
pub fn record_footprints(input: &Input<'_>) -> Output {
    let function = input.kernel()?;
    let (_, plan) = device_cost_model::cost(function, &Machine::mt3000(), &input.layout);
    let name = |offset| Some(format!("argument at {offset}"));
    let arguments = footprints::insert(function, plan.argument_loads, name);
    let facts = arguments.iter().map(|argument| {
        let shares = argument.shares.iter().map(|share| {
            let percent = 100.0 * f64::from(share.outside) / 65536.0;
            format!(
                "block {}, {percent:.0} % of outside, {} cycles in AM",
                share.block, share.local
            )
        });
        let shares: Vec<String> = shares.collect();
        format!("{}: {}", argument.name, shares.join("; "))
    });
    input.text_with(&facts.collect::<Vec<_>>().join("\n"))
}

/// The counter slice of code that is instrumented already.
pub fn slice_counters(input: &Input<'_>) -> Output {
    let function = input.kernel()?;
    let group_slots = 0..input.group_slot;
    let memory = counter_slice::KnownMemory {
        group_slots: std::slice::from_ref(&group_slots),
        separate_objects: input.specialisation.separate_objects,
    };
    let facts = match counter_slice::find(function, memory) {
        Ok(slice) => {
            let is_profitable = counter_slice::is_profitable(function, &slice);
            counter_slice::reduce(function, &slice);
            let depends = slice.dependence;
            format!(
                "depends on: {:?}, buffers: {}, profitable: {is_profitable}",
                depends.group, depends.buffers
            )
        }
        Err(obstacle) => format!("no slice: {obstacle}"),
    };
    input.text_with(&facts)
}

pub fn form(input: &Input<'_>) -> Output {
    let kernel = input.kernel()?;
    let module = input.module.handle();
    let interface = interface::kernels(module)
        .into_iter()
        .find(|known| known.name == kernel.name())
        .ok_or_else(|| PassError::NotAKernel(kernel.name()))?;
    let specialisation = specialisation::version(input.specialisation.clone(), &interface, true);
    let formed = work_group::form(
        module,
        &interface,
        &specialisation,
        input.optimise,
        None,
        &Attempt::default(),
        &mut Reader,
    )?;
    // Dead computations of the index space would be most of the text.
    input.run_passes("function(dce)")?;
    let resources = formed.resources;
    let facts = format!(
        "regions: {}, interchanged loops: {}\n\
         local memory: {} bytes\n\
         private memory: {} bytes of each item, {} of the group; needed: {} kept, {} transient\n\
         loops over items are innermost: {}",
        formed.regions,
        formed.interchanged_loops,
        resources.local_memory,
        resources.work_item_private,
        resources.group_private,
        resources.private.kept,
        resources.private.transient,
        resources.innermost
    );
    input.text_with(&facts)
}
