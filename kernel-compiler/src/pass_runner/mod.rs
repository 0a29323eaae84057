//! The compiler's own passes, one at a time on textual LLVM IR: what the before/after
//! tests in `tests/passes/` run, and who wants to try a pass.
//!
//! The IR holds the kernel `k`. Comment lines in it set what a pass may take for granted:
//! `; local size: 16,1,1`, `; large grid`, `; unoptimised`, `; lanes: 8`, `; lanes by cost: 32`
//! (at most, and as AVX-512 has them), `; stack: 20` (per cent of SM), `; code in GSM`, and what is known of the kernel's arguments: `; arguments: other, image 4277 4318 16, sampler 37`
//! (channel order and data type as OpenCL numbers them, bytes of a pixel; a sampler's bits).

use crate::analysis::cfg::Cfg;
use crate::analysis::uniformity::{InfluenceRegions, Uniformity};
use crate::inspect::stage::{Observer, Stage};
use crate::intrinsics::DO_NOT_OPTIMISE;
use crate::ir::{self, Block, Value};
use crate::kernel::image_argument::KnownArgument;
use crate::kernel::interface;
use crate::kernel::interface::{ArgumentKind, KernelArgument, KernelInterface};
use crate::kernel::specialisation;
use crate::kernel::specialisation::Specialisation;
use crate::passes::image_specialisation;
use crate::passes::instrumentation;
use crate::passes::lower_masked_access;
use crate::passes::safe_division;
use crate::pipeline::fallback::Attempt;
use crate::work_group::loop_interchange::RotatedLoop;
use crate::work_group::region::Regions;
use crate::work_group::report::{self, Report};
use crate::work_group::{
    self, barrier_split, cross_barrier_values, local_variables, loop_interchange,
};
use crate::{device_cost_model, guard, link, printf, shim, target, vectorize};
use device_sim::layout::Layout;
use device_sim::machine::{CodePlace, Machine};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use std::collections::HashSet;
use std::fmt::{self, Write};

/// The kernel that passes work on.
const KERNEL: &str = "k";

/// What a pass leaves: facts it found, then IR.
type Outcome = Result<String, String>;

struct Input<'c> {
    module: Module<'c>,
    specialisation: Specialisation,
    /// The kernel's arguments, if they are told of.
    arguments: Vec<ArgumentKind>,
    optimise: bool,
    lanes: u32,
    /// There may be fewer, or none, as it pays.
    by_cost: bool,
    layout: Layout,
}

impl Input<'_> {
    fn kernel(&self) -> Result<Value, String> {
        let raw = self.module.as_mut_ptr();
        let kernel = ir::function(raw, KERNEL).ok_or("there is no function `k`")?;
        report::name_blocks(kernel);
        Ok(kernel)
    }

    /// The module as it is now, without what is the same for all.
    fn text(&self) -> Outcome {
        self.module
            .verify()
            .map_err(|message| format!("the pass left invalid IR: {message}"))?;
        let text = self.module.print_to_string().to_string();
        let is_ours = |line: &&str| {
            !["; ModuleID", "source_filename", "target "]
                .iter()
                .any(|start| line.starts_with(start))
        };
        let lines: Vec<&str> = text.lines().filter(is_ours).collect();
        Ok(format!("{}\n", lines.join("\n").trim()))
    }
}

/// A pass by its name.
type Pass = (&'static str, fn(&Input<'_>) -> Outcome);

const PASSES: &[Pass] = &[
    ("printf", lower_printf),
    ("division", guard_divisions),
    ("link", complete),
    ("constant_local_size", fix_local_size),
    ("image_access", mark_constant_loads),
    ("specialise", specialise),
    ("local_variables", lower_local_variables),
    ("control_flow", find_control_flow),
    ("uniformity", find_uniformity),
    ("loop_interchange", interchange_loops),
    ("barrier_split", split_at_barriers),
    ("region", find_regions),
    ("joins", find_regions_with_joins),
    ("cross_barrier_values", demote_cross_barrier_values),
    ("emit", form),
    ("disjoint_or", disjoint_ors_to_adds),
    ("vectorize", vectorize_loops),
    ("unroll_and_jam", unroll_and_jam),
    ("loop_distribution", distribute_loops),
    ("cost", reckon),
    ("counting", count),
    ("host_masks", rewrite_masked),
];

/// Names of the passes, in the order in which the compiler runs them.
pub fn names() -> impl Iterator<Item = &'static str> {
    PASSES.iter().map(|(name, _)| *name)
}

/// Runs the pass `name` on a module; gives what it found and made.
///
/// # Errors
/// There is no such pass, the text is no LLVM IR, or the pass left invalid IR. What the
/// pass itself refuses is part of its result.
pub fn run(name: &str, text: &str) -> Result<String, String> {
    let Some((_, pass)) = PASSES.iter().find(|(known, _)| *known == name) else {
        return Err(format!("there is no pass `{name}`"));
    };
    guard::run(|| apply(*pass, text)).unwrap_or_else(|stopped| Err(stopped.to_string()))
}

/// Runs a pass on the module that the text describes.
fn apply(pass: fn(&Input<'_>) -> Outcome, text: &str) -> Outcome {
    let context = Context::create();
    let buffer =
        MemoryBuffer::create_from_memory_range_copy(format!("{text}\0").as_bytes(), "input");
    let module = context
        .create_module_from_ir(buffer)
        .map_err(|error| error.to_string())?;
    let machine = target::machine(true);
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    module
        .verify()
        .map_err(|message| format!("the input is invalid IR: {message}"))?;
    let setting = |key: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix("; ")?.strip_prefix(key))
    };
    let local_size = match setting("local size: ") {
        Some(size) => {
            let sizes: Result<Vec<u64>, _> = size.split(',').map(str::parse).collect();
            let sizes = sizes.map_err(|error| format!("local size: {error}"))?;
            Some(<[u64; 3]>::try_from(sizes).map_err(|_| "a local size has three parts")?)
        }
        None => None,
    };
    let optimise = setting("unoptimised").is_none();
    if !optimise {
        module
            .add_global_metadata(DO_NOT_OPTIMISE, &context.metadata_node(&[]))
            .map_err(|error| error.to_string())?;
    }
    let by_cost = setting("lanes by cost: ");
    let lanes = match by_cost.or_else(|| setting("lanes: ")) {
        Some(lanes) => lanes.parse().map_err(|error| format!("lanes: {error}"))?,
        None => 4,
    };
    let (arguments, images) = arguments(setting("arguments: ").unwrap_or_default())?;
    pass(&Input {
        module,
        specialisation: Specialisation {
            local_size,
            small_grid: setting("large grid").is_none(),
            images,
            timed: None,
            checked: false,
        },
        arguments,
        optimise,
        lanes,
        by_cost: by_cost.is_some(),
        layout: Layout {
            stack_percent: match setting("stack: ") {
                Some(percent) => percent.parse().map_err(|error| format!("stack: {error}"))?,
                None => 20,
            },
            code: match setting("code in GSM") {
                Some(_) => CodePlace::Gsm,
                None => CodePlace::Ddr,
            },
        },
    })
}

/// Reads what is known of the kernel's arguments: their kinds, and the images and samplers
/// among them.
fn arguments(text: &str) -> Result<(Vec<ArgumentKind>, Vec<KnownArgument>), String> {
    let (mut kinds, mut known) = (Vec::new(), Vec::new());
    for argument in text
        .split(',')
        .map(str::trim)
        .filter(|text| !text.is_empty())
    {
        let words: Vec<&str> = argument.split(' ').collect();
        let number = |word: &str| word.parse::<u32>().map_err(|e| format!("{argument}: {e}"));
        kinds.push(match words[..] {
            ["image", order, data_type, element_size] => {
                known.push(KnownArgument::Image {
                    channel_order: number(order)?,
                    channel_data_type: number(data_type)?,
                    element_size: number(element_size)?,
                });
                ArgumentKind::Image
            }
            ["sampler", bits] => {
                known.push(KnownArgument::Sampler(number(bits)?.into()));
                ArgumentKind::Sampler
            }
            ["other"] => ArgumentKind::Value,
            _ => return Err(format!("there are no arguments `{argument}`")),
        });
    }
    Ok((kinds, known))
}

fn specialise(input: &Input<'_>) -> Outcome {
    let interface = KernelInterface {
        name: KERNEL.to_owned(),
        arguments: input
            .arguments
            .iter()
            .map(|kind| KernelArgument::of_kind(*kind))
            .collect(),
        argument_block_size: 8 * input.arguments.len(),
        required_work_group_size: None,
        attributes: String::new(),
    };
    let machine = target::machine(true);
    image_specialisation::specialise(&input.module, &interface, &input.specialisation, &machine)
        .map_err(|_| "LLVM's passes failed")?;
    input.text()
}

/// Facts before IR, as comments.
fn with_facts(facts: &str, ir: &str) -> String {
    let mut text = String::new();
    for line in facts.lines() {
        text.push_str(format!("; {line}").trim_end());
        text.push('\n');
    }
    if !facts.is_empty() && !ir.is_empty() {
        text.push('\n');
    }
    text + ir
}

fn complete(input: &Input<'_>) -> Outcome {
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
        Err(failure) => Ok(with_facts(&failure.log, "")),
    }
}

fn lower_printf(input: &Input<'_>) -> Outcome {
    printf::lower(input.module.as_mut_ptr());
    input.text()
}

fn guard_divisions(input: &Input<'_>) -> Outcome {
    safe_division::guard(input.module.as_mut_ptr());
    input.text()
}

fn mark_constant_loads(input: &Input<'_>) -> Outcome {
    image_specialisation::mark_constant_loads(input.module.as_mut_ptr());
    input.text()
}

fn lower_local_variables(input: &Input<'_>) -> Outcome {
    let bytes = local_variables::lower(input.module.as_mut_ptr(), input.kernel()?);
    let facts = format!("local memory: {bytes} bytes");
    Ok(with_facts(&facts, &input.text()?))
}

fn find_control_flow(input: &Input<'_>) -> Outcome {
    let kernel = input.kernel()?;
    let cfg = Cfg::of(kernel);
    let is_cyclic = cfg.graph.cyclic_nodes();
    let is_reachable = cfg.graph.postorder_positions();
    let names = |set: HashSet<Block>| -> String {
        let blocks = cfg.blocks.iter().filter(|block| set.contains(block));
        let names: Vec<String> = blocks.map(report::block_name).collect();
        names.join(" ")
    };
    let mut facts = String::new();
    let mut write = || -> fmt::Result {
        for l in RotatedLoop::all(&cfg) {
            let [header, preheader, latch, exit] =
                [l.header, l.preheader, l.latch, l.exit].map(|block| report::block_name(&block));
            writeln!(
                facts,
                "loop: preheader {preheader}, header {header}, latch {latch}, exit {exit}, blocks {}",
                names(l.blocks)
            )?;
        }
        for (number, &block) in cfg.blocks.iter().enumerate() {
            let name = report::block_name(&block);
            if is_reachable[number].is_none() {
                continue;
            }
            if is_cyclic[number] {
                writeln!(facts, "{name} is in a cycle")?;
            }
            if block.successors().len() < 2 {
                continue;
            }
            let (influenced, meeting) = InfluenceRegions::new(&cfg).next(block);
            let meeting = meeting.map_or("nowhere".into(), |block| report::block_name(&block));
            writeln!(
                facts,
                "branch in {name}: decides on {}; all meet at {meeting}",
                match names(influenced.into_iter().collect()) {
                    names if names.is_empty() => "nothing".into(),
                    names => names,
                }
            )?;
        }
        Ok(())
    };
    write().expect("a String takes all");
    Ok(with_facts(&facts, ""))
}

fn find_uniformity(input: &Input<'_>) -> Outcome {
    let kernel = input.kernel()?;
    let cfg = Cfg::of(kernel);
    let uniformity = Uniformity::find(kernel, &cfg);
    let is_reachable = cfg.graph.postorder_positions();
    let mut facts = String::new();
    let mut write = || -> fmt::Result {
        for (number, block) in kernel.blocks().into_iter().enumerate() {
            let who = if is_reachable[number].is_none() {
                "nobody"
            } else if uniformity.is_run_by_all(block) {
                "all or none"
            } else {
                "some"
            };
            writeln!(facts, "{}: run by {who}", report::block_name(&block))?;
            for instruction in block.instructions() {
                let kind = if uniformity.is_uniform(instruction) {
                    "uniform"
                } else {
                    "varying"
                };
                // A switch has several lines.
                let text = instruction.text();
                let words: Vec<&str> = text.split_whitespace().collect();
                writeln!(facts, "  {kind}  {}", words.join(" "))?;
            }
        }
        Ok(())
    };
    write().expect("a String takes all");
    Ok(with_facts(&facts, ""))
}

fn interchange_loops(input: &Input<'_>) -> Outcome {
    let interchanged = loop_interchange::run(input.module.as_mut_ptr(), input.kernel()?);
    let places = |places: Vec<Value>| match places.as_slice() {
        [] => "nothing".to_owned(),
        places => {
            let names: Vec<String> = places.iter().map(|p| format!("%{}", p.name())).collect();
            names.join(" ")
        }
    };
    let facts = format!(
        "loops cut: {}\nper item: {}\nshared: {}",
        interchanged.loops,
        places(interchanged.slots.iter().map(|slot| slot.alloca).collect()),
        places(interchanged.shared)
    );
    Ok(with_facts(&facts, &input.text()?))
}

fn split_at_barriers(input: &Input<'_>) -> Outcome {
    let cuts = barrier_split::split(input.kernel()?);
    let facts = format!("cuts: {}", cuts.after.len());
    Ok(with_facts(&facts, &input.text()?))
}

fn find_regions(input: &Input<'_>) -> Outcome {
    let kernel = input.kernel()?;
    let regions = Regions::find(kernel, &barrier_split::split(kernel));
    let regions = regions.map_err(|too_many| too_many.to_string())?;
    Ok(with_facts(&described(&regions), ""))
}

fn find_regions_with_joins(input: &Input<'_>) -> Outcome {
    let kernel = input.kernel()?;
    let regions = Regions::find_with_joins(kernel, &barrier_split::split(kernel));
    let regions = regions.map_err(|too_many| too_many.to_string())?;
    Ok(with_facts(&described(&regions), &input.text()?))
}

fn described(regions: &Regions) -> String {
    let mut facts = String::new();
    report::write_regions(&mut facts, regions).expect("a String takes all");
    let loops = if regions.have_loops() {
        "some region has a loop within it"
    } else {
        "no region has a loop within it"
    };
    facts.push_str(loops);
    facts
}

fn demote_cross_barrier_values(input: &Input<'_>) -> Outcome {
    let kernel = input.kernel()?;
    let module = input.module.as_mut_ptr();
    let regions = Regions::find(kernel, &barrier_split::split(kernel));
    let regions = regions.map_err(|too_many| too_many.to_string())?;
    let rematerialised = cross_barrier_values::rematerialise(kernel, &regions);
    let slots = cross_barrier_values::demote(kernel, &regions, None);
    let private = cross_barrier_values::private_arrays(module, kernel, &regions, &slots, &[], None);
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
    Ok(with_facts(&facts, &input.text()?))
}

/// Wants values to have names.
struct Reader;

impl Observer for Reader {
    fn wants(&self, step: Stage) -> bool {
        step == Stage::WorkGroupFunction
    }

    fn see(&mut self, _step: Stage, _text: &str) {}
}

/// What lanes are made for, whatever the host.
const VECTORS: vectorize::VectorUnit = vectorize::VectorUnit {
    register_bits: 256,
    registers: 16,
    halves: true,
    mask_registers: true,
    gathers: false,
    timed: false,
};

/// Those of AVX-512, for what depends on cost.
const WIDE_VECTORS: vectorize::VectorUnit = vectorize::VectorUnit {
    register_bits: 512,
    registers: 32,
    gathers: true,
    ..VECTORS
};

fn disjoint_ors_to_adds(input: &Input<'_>) -> Outcome {
    vectorize::disjoint_ors_to_adds(input.kernel()?);
    input.text()
}

fn vectorize_loops(input: &Input<'_>) -> Outcome {
    let kernel = input.kernel()?;
    let lanes = vectorize::Lanes {
        count: input.lanes,
        dimension: 0,
    };
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
    // The variables between blocks would fill most of the text.
    let machine = target::machine(false);
    let passes = "function(sroa<modify-cfg>,simplifycfg,instsimplify)";
    shim::run_passes(&input.module, passes, &machine).map_err(|failure| format!("{failure:?}"))?;
    Ok(with_facts(&facts, &input.text()?))
}

fn unroll_and_jam(input: &Input<'_>) -> Outcome {
    let joined = vectorize::unroll_and_jam(input.kernel()?, VECTORS);
    // What counted rows one by one.
    let machine = target::machine(false);
    shim::run_passes(&input.module, "function(dce)", &machine)
        .map_err(|failure| format!("{failure:?}"))?;
    let facts = match joined.as_slice() {
        [] => "rows side by side: none".to_owned(),
        joined => {
            let counts: Vec<u32> = joined.iter().map(|of| of.factor).collect();
            format!("rows side by side: {counts:?}")
        }
    };
    Ok(with_facts(&facts, &input.text()?))
}

fn fix_local_size(input: &Input<'_>) -> Outcome {
    let size = input.specialisation.local_size;
    let size = size.ok_or("the local size is not said")?;
    work_group::constant_local_size::fix(input.kernel()?, size);
    input.text()
}

fn distribute_loops(input: &Input<'_>) -> Outcome {
    let divided = vectorize::distribute_loops(input.kernel()?, VECTORS);
    // What the last part does not need.
    let machine = target::machine(false);
    shim::run_passes(&input.module, "function(dce)", &machine)
        .map_err(|failure| format!("{failure:?}"))?;
    Ok(with_facts(&format!("parts: {divided:?}"), &input.text()?))
}

fn reckon(input: &Input<'_>) -> Outcome {
    let kernel = input.kernel()?;
    let cost = device_cost_model::cost(kernel, &Machine::mt3000(), &input.layout);
    Ok(with_facts(&device_cost_model::dump(kernel, &cost), ""))
}

fn rewrite_masked(input: &Input<'_>) -> Outcome {
    lower_masked_access::rewrite(input.kernel()?);
    input.text()
}

fn count(input: &Input<'_>) -> Outcome {
    instrumentation::insert(input.kernel()?);
    input.text()
}

fn form(input: &Input<'_>) -> Outcome {
    let kernel = input.kernel()?;
    let module = input.module.as_mut_ptr();
    let interface = interface::kernels(module)
        .into_iter()
        .find(|known| known.name == kernel.name())
        .ok_or("`k` is no kernel (`spir_kernel`)")?;
    let specialisation = specialisation::version(input.specialisation.clone(), &interface, true);
    let formed = work_group::form(
        module,
        &interface,
        &specialisation,
        input.optimise,
        None,
        &Attempt::default(),
        &mut Reader,
    )
    .map_err(|failure| format!("{failure:?}"))?;
    // What nobody uses of the index space would fill most of the text.
    let machine = target::machine(false);
    shim::run_passes(&input.module, "function(dce)", &machine)
        .map_err(|failure| format!("{failure:?}"))?;
    let resources = formed.resources;
    let facts = format!(
        "regions: {}, interchanged loops: {}\n\
         local memory: {} bytes\n\
         private memory: {} bytes of each item, {} of the group, {} on the stack\n\
         loops over items are innermost: {}",
        formed.regions,
        formed.interchanged_loops,
        resources.local_memory,
        resources.work_item_private,
        resources.group_private,
        resources.stack,
        resources.innermost
    );
    Ok(with_facts(&facts, &input.text()?))
}
