//! Native code: a kernel's work-group function, optimised for the host CPU and emitted
//! as an object file, which `loader` makes executable.

pub mod fallback;

use crate::cache::Cache;
use crate::front_end::DO_NOT_OPTIMISE;
use crate::inspect::remarks::{self, Outcome, Remarks};
use crate::inspect::stage::{Observer, Stage, TeeObserver, show};
use crate::ir;
use crate::ir::diagnostics;
use crate::jit::loader::Image;
use crate::kernel::interface::KernelInterface;
use crate::kernel::resource_use::ResourceUse;
use crate::kernel::specialisation::Specialisation;
use crate::passes::dma_instrumentation;
use crate::passes::image_specialisation;
use crate::passes::instrumentation;
use crate::passes::lower_masked_access;
use crate::shim::{self, FileType, Refused};
use crate::size_limits;
use crate::vectorize::{JammedLoop, Rejected, Rejection, Vectorized};
use crate::work_group::{Formation, Resources};
use crate::{BuildFailure, device_cost_model, guard, target, vectorize, work_group};
use device_sim::timing::cost::KernelCost;
use device_sim::timing::timed_kernel::TimedKernel;
use fallback::{Attempt, Optimisation};
use host_exec::dma_checker::Site;
use host_exec::work_group::WorkGroupFunction;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use llvm_sys::prelude::LLVMModuleRef;
use serde::{Deserialize, Serialize};
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// Native code of one kernel. Keeps the code mapped while it lives.
pub struct WorkGroupCode {
    /// The kernel's name.
    pub kernel: String,
    /// Entry point.
    pub function: WorkGroupFunction,
    /// Bytes of scratchpad for the kernel's own `__local` variables, at the start
    /// of local memory; `__local` arguments follow.
    pub local_memory_bytes: u64,
    /// Bytes of private memory per work-item, on the stack or across barriers
    /// (`CL_KERNEL_PRIVATE_MEM_SIZE`).
    pub private_memory_bytes: u64,
    /// Private memory that must be given to each group: fixed part, bytes.
    pub group_private_bytes: u64,
    /// And the part per work-item of the group, bytes.
    pub work_item_private_bytes: u64,
    /// What its blocks cost on the machine, and more; of timed code only.
    pub timed: Option<Arc<TimedKernel>>,
    /// Where it accesses memory; of checked code only.
    pub sites: Option<Arc<[Site]>>,
    _image: Image,
}

impl WorkGroupCode {
    /// Bytes `WorkGroupContext::private_memory` must hold for groups of `work_items`.
    pub fn private_bytes(&self, work_items: u64) -> u64 {
        self.group_private_bytes + self.work_item_private_bytes * work_items
    }
}

/// The object file of one kernel for one specialisation, and what is known of it.
pub struct KernelObject {
    /// ELF, relocatable.
    pub object: Vec<u8>,
    /// What the kernel uses.
    pub resources: ResourceUse,
}

const OPTIMISE: &str = "default<O3>";
/// Brings loops into the form in which work-group function formation knows them.
const SIMPLE_LOOPS: &str = "function(loop-simplify,loop(loop-rotate),instsimplify)";
/// What is the same for each work-item made simple once, before there are lanes: small loops
/// unrolled, private arrays in registers. Without `licm`, which takes away that sums of indices do
/// not wrap.
const SIMPLE_KERNEL: &str = "always-inline,function(loop(indvars,loop-deletion),\
    loop-unroll<O3;no-partial;no-runtime;no-upperbound>,sroa<modify-cfg>,gvn<no-pre>,\
    instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,loop(loop-rotate))";
/// As `OPTIMISE`, with OpenCL's vectors taken apart before: where the loops over the
/// work-items are innermost, LLVM makes wider vectors of their components.
const OPTIMISE_COMPONENTS: &str = "function(scalarizer<load-store>),default<O3>";
/// What timed code is to the machine: simplified, so that blocks hold what has to be done.
const TIMED: &str = "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
    instcombine<no-verify-fixpoint>,loop-simplify,loop-mssa(licm),loop(loop-deletion),\
    gvn<no-pre>,dse,adce,simplifycfg,loop-simplify)";
/// Before code generation that takes least time, but for vectors.
const DO_NOT_AND_HAVE_NO_VECTORS: &str =
    "function(mem2reg),always-inline,function(scalarizer<load-store>)";
const DO_NOT: &str = "function(mem2reg),always-inline";

/// A work-group function as the cache keeps it.
#[derive(Serialize, Deserialize)]
struct NativeCode {
    #[serde(with = "serde_bytes")]
    object: Vec<u8>,
    resources: Resources,
    cost: Option<Arc<KernelCost>>,
    sites: Option<Arc<[Site]>>,
    /// An optimisation failed. Such code is not kept, so that each process reports it.
    #[serde(skip)]
    is_fallback: bool,
}

const KIND: &str = "native code";

/// Native code of kernel `interface.name` of a linked program, compiled now or before.
pub fn code(
    bitcode: &[u8],
    interface: &KernelInterface,
    specialisation: &Specialisation,
    observer: &mut dyn Observer,
) -> Result<WorkGroupCode, BuildFailure> {
    if remarks::are_wanted() {
        let observer = &mut TeeObserver(observer, &mut remarks::StandardError);
        return code_shown(bitcode, interface, specialisation, observer);
    }
    code_shown(bitcode, interface, specialisation, observer)
}

fn code_shown(
    bitcode: &[u8],
    interface: &KernelInterface,
    specialisation: &Specialisation,
    observer: &mut dyn Observer,
) -> Result<WorkGroupCode, BuildFailure> {
    let Some(cache) = Cache::get() else {
        let code = compile(bitcode, interface, specialisation, observer)?;
        return load(interface, &code);
    };
    let key = cache.key(
        KIND,
        &[
            bitcode,
            interface.name.as_bytes(),
            format!("{specialisation:?} {:?}", vectorize::width_policy()).as_bytes(),
        ],
    );
    // Kept code has no remarks.
    if !observer.wants(Stage::Remarks)
        && let Some(code) = cache.load(KIND, &key)
        && let Ok(loaded) = load(interface, &code)
    {
        return Ok(loaded);
    }
    let code = compile(bitcode, interface, specialisation, observer)?;
    if !code.is_fallback {
        cache.store(KIND, &key, &code);
    }
    load(interface, &code)
}

fn load(interface: &KernelInterface, code: &NativeCode) -> Result<WorkGroupCode, BuildFailure> {
    guard::run(|| load_unguarded(interface, code))
        .unwrap_or_else(|stopped| Err(BuildFailure::of_kernel(&interface.name, &stopped)))
}

/// As `load`. To be called guarded.
fn load_unguarded(
    interface: &KernelInterface,
    code: &NativeCode,
) -> Result<WorkGroupCode, BuildFailure> {
    let NativeCode {
        object,
        resources,
        cost,
        sites,
        is_fallback: _,
    } = code;
    let object = MemoryBuffer::create_from_memory_range_copy(object, "object");
    let image = Image::load(object, sites.is_some())?;
    let address = image.address(work_group::SYMBOL)?;
    // SAFETY: the symbol is the work-group function, made with this very signature.
    let function = unsafe { std::mem::transmute::<u64, WorkGroupFunction>(address) };
    Ok(WorkGroupCode {
        kernel: interface.name.clone(),
        function,
        local_memory_bytes: resources.local_memory,
        private_memory_bytes: resources.private_memory(),
        group_private_bytes: resources.group_private,
        work_item_private_bytes: resources.work_item_private,
        timed: cost.clone().map(|cost| Arc::new(TimedKernel::new(cost))),
        sites: sites.clone(),
        _image: image,
    })
}

fn compile(
    bitcode: &[u8],
    interface: &KernelInterface,
    specialisation: &Specialisation,
    observer: &mut dyn Observer,
) -> Result<NativeCode, BuildFailure> {
    log::debug!("compiles kernel `{}`", interface.name);
    emit_guarded(bitcode, interface, specialisation, observer, |emitted| {
        NativeCode {
            object: emitted.object.as_slice().to_vec(),
            resources: emitted.formation.resources,
            cost: emitted.cost.map(Arc::new),
            sites: emitted.sites.map(Arc::from),
            is_fallback: emitted.is_fallback,
        }
    })
}

/// Compiles kernel `interface.name` of a linked program to be looked at.
pub fn compile_for_inspection(
    bitcode: &[u8],
    interface: &KernelInterface,
    specialisation: &Specialisation,
    observer: &mut dyn Observer,
) -> Result<KernelObject, BuildFailure> {
    emit_guarded(bitcode, interface, specialisation, observer, |emitted| {
        KernelObject {
            resources: emitted.resource_use(),
            object: emitted.object.as_slice().to_vec(),
        }
    })
}

/// What code generation makes.
struct Emitted {
    object: MemoryBuffer<'static>,
    formation: Formation,
    vectors: Vectors,
    /// What became lanes; none if work-items run one after another.
    lanes: Option<Vectorized>,
    /// What timed code costs on the machine.
    cost: Option<KernelCost>,
    /// Where checked code accesses memory.
    sites: Option<Vec<Site>>,
    /// An optimisation failed.
    is_fallback: bool,
}

/// Vectors in optimised code.
#[derive(Clone, Copy)]
struct Vectors {
    /// Elements of the widest; 1 if there is none.
    widest: u32,
    /// LLVM's loop vectoriser made some.
    of_loops: bool,
    /// There are loops.
    loops: bool,
}

/// How names of values begin that LLVM's loop vectoriser makes. Its blocks may have been
/// merged into others, and its loops unrolled.
const LOOP_VECTORS: &[&str] = &[
    "broadcast.splat",
    "interleaved.vec",
    "strided.vec",
    "vec.ind",
    "vec.phi",
    "wide.",
];

impl Vectors {
    const NONE: Self = Self {
        widest: 1,
        of_loops: false,
        loops: false,
    };

    fn of(module: &Module<'_>) -> Self {
        let mut found = Self::NONE;
        for function in ir::functions(module.as_mut_ptr()) {
            if !function.is_declaration() {
                found.loops |= work_group::has_loop(function);
                found.note(function);
            }
        }
        found
    }

    fn note(&mut self, function: ir::Value) {
        for instruction in function.instructions() {
            if instruction.ty().kind() == ir::TypeKind::LLVMVectorTypeKind {
                let (_, elements) = instruction.ty().vector_elements();
                self.widest = self.widest.max(elements);
                let name = instruction.name();
                self.of_loops |= LOOP_VECTORS.iter().any(|start| name.starts_with(start));
            }
        }
    }
}

impl Emitted {
    fn resource_use(&self) -> ResourceUse {
        let Formation {
            resources,
            barriers,
            transfers,
            interchanged_loops,
            regions,
        } = self.formation;
        ResourceUse {
            local_memory_bytes: resources.local_memory,
            private_memory_bytes: resources.private_memory(),
            kept_across_barriers_bytes: resources.work_item_private,
            code_bytes: code_bytes(self.object.as_slice()),
            barriers,
            transfers,
            interchanged_loops,
            regions,
            widest_vector: self.vectors.widest,
            vectorised: match self.vectors {
                Vectors { widest: 1, .. } => Some(false),
                _ if self.lanes.is_some() => Some(true),
                Vectors { of_loops: true, .. } => resources.innermost.then_some(true),
                Vectors { loops: true, .. } => Some(false),
                _ => None,
            },
        }
    }
}

/// Bytes of instructions in an object file.
fn code_bytes(object: &[u8]) -> u64 {
    use object::{Object, ObjectSection, SectionKind};
    object::File::parse(object).map_or(0, |file| {
        file.sections()
            .filter(|section| section.kind() == SectionKind::Text)
            .map(|section| section.size())
            .sum()
    })
}

/// Holds what a panic may leave half made: it is not freed while one unwinds.
struct Held<T>(ManuallyDrop<T>);

impl<T> Held<T> {
    fn new(held: T) -> Self {
        Self(ManuallyDrop::new(held))
    }
}

impl<T> Drop for Held<T> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // SAFETY: it is not used again.
            unsafe { ManuallyDrop::drop(&mut self.0) }
        }
    }
}

/// Emits a kernel on guarded threads, a new one and a new context for each attempt; `finish`
/// takes from the result what outlives the context.
fn emit_guarded<R: Send>(
    bitcode: &[u8],
    interface: &KernelInterface,
    specialisation: &Specialisation,
    observer: &mut dyn Observer,
    finish: impl Fn(Emitted) -> R + Sync,
) -> Result<R, BuildFailure> {
    fallback::compile(&interface.name, |attempt| {
        let context = Held::new(Context::create());
        let errors = diagnostics::Errors::of(&context.0);
        let emitted = emit(
            &context.0,
            bitcode,
            interface,
            specialisation,
            attempt,
            observer,
        )?;
        match errors.first() {
            Some(error) => Err(Refused(error)),
            None => Ok(finish(emitted)),
        }
    })
}

/// The object file of a kernel's work-group function, and what the function needs.
fn emit(
    context: &Context,
    bitcode: &[u8],
    interface: &KernelInterface,
    specialisation: &Specialisation,
    attempt: &Attempt,
    observer: &mut dyn Observer,
) -> Result<Emitted, Refused> {
    let remark = |emitted: &Emitted, why: Option<&Rejected>| {
        let outcome = match (&emitted.lanes, why) {
            (Some(vectorized), _) => Outcome::Lanes(vectorized),
            (None, why) => Outcome::InTurn {
                rejected: why.expect("there is a reason for it"),
                widest_vector: emitted.vectors.widest,
            },
        };
        let remarks = Remarks {
            interface,
            specialisation,
            outcome,
        };
        remarks.to_string()
    };
    let wanted = match &specialisation.timed {
        _ if specialisation.checked => vectorize::WidthPolicy::None,
        Some(timed) => vectorize::WidthPolicy::Machine(timed.machine.array.lanes.value as u32),
        None => vectorize::width_policy(),
    };
    let declined = if wanted == vectorize::WidthPolicy::None {
        Rejection::Disabled.into()
    } else if !attempt.allows(Optimisation::Lanes) {
        Rejection::CompilerFailure.into()
    } else {
        match emit_with(
            context,
            bitcode,
            interface,
            specialisation,
            wanted,
            attempt,
            observer,
        )? {
            Ok(emitted) => {
                show(observer, Stage::Remarks, || remark(&emitted, None));
                return Ok(emitted);
            }
            Err(declined) => declined,
        }
    };
    let none = vectorize::WidthPolicy::None;
    let emitted = emit_with(
        context,
        bitcode,
        interface,
        specialisation,
        none,
        attempt,
        observer,
    )?
    .expect("work-items one after another can always be run");
    show(observer, Stage::Remarks, || {
        remark(&emitted, Some(&declined))
    });
    Ok(emitted)
}

/// As `emit`; if lanes are wanted and the kernel is not fit for them, why.
fn emit_with(
    context: &Context,
    bitcode: &[u8],
    interface: &KernelInterface,
    specialisation: &Specialisation,
    wanted: vectorize::WidthPolicy,
    attempt: &Attempt,
    observer: &mut dyn Observer,
) -> Result<Result<Emitted, Rejected>, Refused> {
    let module = shim::extract_function(context, bitcode, &interface.name)
        .ok_or_else(|| Refused("it cannot be read".into()))?;
    let module = Held::new(module);
    emit_module(
        &module.0,
        interface,
        specialisation,
        wanted,
        attempt,
        observer,
    )
}

/// As `emit_with`, of a module with the kernel and what it needs.
fn emit_module(
    module: &Module<'_>,
    interface: &KernelInterface,
    specialisation: &Specialisation,
    wanted: vectorize::WidthPolicy,
    attempt: &Attempt,
    observer: &mut dyn Observer,
) -> Result<Result<Emitted, Rejected>, Refused> {
    let raw = module.as_mut_ptr();
    let kernel = ir::function(raw, &interface.name).expect("the module holds the kernel");
    let excess = size_limits::excess(raw);
    let optimise = module.get_global_metadata_size(DO_NOT_OPTIMISE) == 0
        && attempt.allows(Optimisation::Pipelines)
        && excess.is_none();
    let timed = specialisation.timed.as_ref();
    let checked = specialisation.checked;
    let sites = checked.then(|| dma_instrumentation::insert(module.as_mut_ptr(), interface));
    match timed {
        _ if checked => work_group::async_copy_events::wait_one_by_one(module.as_mut_ptr()),
        Some(_) => work_group::async_copy_events::wait_one_by_one(module.as_mut_ptr()),
        None => work_group::async_copy_events::forget(module.as_mut_ptr()),
    }
    let vectors = match timed {
        Some(timed) => vectorize::VectorUnit::of_the_machine(&timed.machine),
        None => vectorize::VectorUnit::of_the_host(),
    };
    let lanes = match wanted {
        vectorize::WidthPolicy::None => None,
        _ if !optimise => {
            let why = excess.map_or(Rejection::NotOptimised, Rejection::Excess);
            return Ok(Err(why.into()));
        }
        _ => match vectorize::choose_width(kernel, wanted, specialisation, vectors) {
            Ok(lanes) => Some(lanes),
            Err(rejection) => return Ok(Err(rejection.into())),
        },
    };
    let host = match excess {
        Some(_) => target::quick_machine(),
        None => target::machine(optimise),
    };
    // What the machine runs does not depend on the host.
    let machine = match timed {
        Some(_) => target::any_machine(optimise),
        None => target::machine(optimise),
    };
    if optimise {
        attempt.run(Optimisation::Pipelines, || {
            if let Some(size) = specialisation.local_size {
                work_group::constant_local_size::fix(kernel, size);
            }
            shim::run_passes(module, SIMPLE_LOOPS, &machine)
        })?;
        if lanes.is_some() || timed.is_some() {
            attempt.run(Optimisation::Lanes, || {
                vectorize::inline_calls(module.as_mut_ptr());
                shim::run_passes(module, SIMPLE_KERNEL, &machine)
            })?;
        }
        attempt.run(Optimisation::Pipelines, || {
            image_specialisation::specialise(module, interface, specialisation, &machine)
        })?;
    }
    image_specialisation::mark_constant_loads(module.as_mut_ptr());
    let text = |module: &Module<'_>| module.print_to_string().to_string();
    show(observer, Stage::Simplified, || text(module));
    let by_cost = wanted == vectorize::WidthPolicy::ByCost;
    guard::check();
    let lanes = lanes.map(|lanes| lanes.by_accesses(kernel, specialisation, by_cost));
    let formation = work_group::form(
        raw,
        interface,
        specialisation,
        optimise,
        lanes,
        attempt,
        observer,
    )?;
    show(observer, Stage::WorkGroupFunction, || text(module));
    let verify = || {
        module
            .verify()
            .map_err(|message| Refused(message.to_string_lossy().into_owned()))
    };
    verify()?;
    if timed.is_none() {
        make_for_the_host(raw);
    }
    let mut in_lanes = None;
    if let Some(lanes) = lanes {
        let vectorized = attempt.run(Optimisation::Lanes, || {
            vectorize::disjoint_ors_to_adds(
                ir::function(raw, work_group::SYMBOL).expect("just made"),
            );
            shim::run_passes(module, vectorize::PREPARE, &machine)?;
            guard::check();
            let function = ir::function(raw, work_group::SYMBOL).expect("just made");
            match vectorize::vectorize(function, lanes, vectors, by_cost) {
                Ok(vectorized) => {
                    shim::run_passes(module, vectorize::PREPARE_UNROLL_AND_JAM, &machine)?;
                    Ok(Ok(vectorized))
                }
                Err(declined) => Ok(Err(declined)),
            }
        })?;
        let mut vectorized = match vectorized {
            Ok(vectorized) => vectorized,
            Err(declined) => {
                log::debug!(
                    "kernel `{}` has no lanes: {}",
                    interface.name,
                    declined.reason
                );
                return Ok(Err(declined));
            }
        };
        let function = ir::function(raw, work_group::SYMBOL).expect("just made");
        if attempt.allows(Optimisation::RowsSideBySide) {
            attempt.run(Optimisation::RowsSideBySide, || {
                for JammedLoop { loop_index, factor } in
                    vectorize::unroll_and_jam(function, vectors)
                {
                    if let Some(of) = loop_index.and_then(|index| vectorized.loops.get_mut(index)) {
                        of.unroll_and_jam = Some(factor);
                    }
                }
                Ok(())
            })?;
        }
        in_lanes = Some(vectorized);
        if attempt.allows(Optimisation::LoopDistribution) {
            attempt.run(Optimisation::LoopDistribution, || {
                vectorize::distribute_loops(function, vectors);
                Ok(())
            })?;
        }
        show(observer, Stage::Lanes, || text(module));
        verify()?;
    }
    let mut cost = None;
    if let Some(timed) = timed {
        let passes = if optimise { TIMED } else { DO_NOT };
        shim::run_passes(module, passes, &machine)?;
        let function = ir::function(raw, work_group::SYMBOL).expect("just made");
        guard::check();
        let of_blocks = device_cost_model::cost(function, &timed.machine, &timed.layout);
        show(observer, Stage::Timed, || {
            work_group::report::name_blocks(function);
            let described = device_cost_model::dump(function, &of_blocks);
            let comments: String = described.lines().map(|l| format!("; {l}\n")).collect();
            comments + &text(module)
        });
        cost = Some(of_blocks);
        instrumentation::insert(function);
        if !vectorize::VectorUnit::of_the_host().mask_registers {
            lower_masked_access::rewrite(function);
        }
        make_for_the_host(raw);
        verify()?;
    }
    let machine = host;
    let has_components = formation.resources.innermost
        && lanes.is_none()
        && timed.is_none()
        && attempt.allows(Optimisation::Components);
    let (passes, optimisation) = match optimise {
        false if excess.is_some() => (DO_NOT_AND_HAVE_NO_VECTORS, None),
        false => (DO_NOT, None),
        true if has_components => (OPTIMISE_COMPONENTS, Some(Optimisation::Components)),
        true => (OPTIMISE, Some(Optimisation::Pipelines)),
    };
    let mut vectors = Vectors::NONE;
    let run_passes = || shim::run_passes(module, passes, &machine);
    match optimisation {
        // Lanes may be what LLVM fails on.
        Some(optimisation) if in_lanes.is_none() => attempt.run(optimisation, run_passes)?,
        _ => run_passes()?,
    }
    let (object, assembly) = {
        show(observer, Stage::Optimised, || text(module));
        if observer.wants(Stage::Resources) || observer.wants(Stage::Remarks) {
            vectors = Vectors::of(module);
        }
        let assembly = if observer.wants(Stage::Assembly) {
            // Of a copy: code generation changes the module.
            let copy = Held::new(module.clone());
            Some(shim::emit(&copy.0, &machine, FileType::Assembly)?)
        } else {
            None
        };
        let object = shim::emit(module, &machine, FileType::Object)?;
        (object, assembly)
    };
    if let Some(assembly) = assembly {
        let assembly = String::from_utf8_lossy(assembly.as_slice());
        observer.see(Stage::Assembly, &assembly);
    }
    let emitted = Emitted {
        object,
        formation,
        vectors,
        lanes: in_lanes,
        cost,
        sites,
        is_fallback: attempt.is_fallback(),
    };
    show(observer, Stage::Resources, || {
        emitted.resource_use().to_string()
    });
    Ok(Ok(emitted))
}

/// Functions may use all that the host's CPU has.
fn make_for_the_host(module: LLVMModuleRef) {
    for function in ir::functions(module) {
        if !function.is_declaration() {
            function.set_text_attribute("target-cpu", &target::HOST_CPU.name);
            function.set_text_attribute("target-features", &target::HOST_CPU.features);
        }
    }
}
