//! One attempt to compile a kernel, stage by stage: prepare, form the work-group function,
//! vectorise, cost, emit. Each stage is in a file of its own and returns what later ones need.

use super::fallback::{Attempt, Optimisation};
use super::module_guard::LeakOnPanic;
use super::vector_use::VectorUse;
use crate::check::CheckTables;
use crate::inspect::remarks::{Remarks, VectorizationOutcome};
use crate::inspect::stage::{Observer, Stage, show};
use crate::intrinsics::DO_NOT_OPTIMISE;
use crate::ir::{self, Context, Module, Value};
use crate::kernel::interface::KernelInterface;
use crate::kernel::resource_use::ResourceUse;
use crate::kernel::specialisation::{Specialisation, Timed};
use crate::shim::{self, Refused};
use crate::size_limits::{self, Excess};
use crate::target;
use crate::target_pool::PooledMachine;
use crate::vectorize::{self, Rejected, Rejection, VectorUnit, Vectorized, WidthPolicy};
use crate::work_group::{self, Formation};
use device_sim::timing::cost::{FollowedData, KernelCost, SliceDependence};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::targets::TargetMachine;
use object::{Object, ObjectSection, SectionKind};
use std::cell::OnceCell;
use std::rc::Rc;

/// A kernel to compile.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The linked program, as bitcode.
    pub bitcode: &'a [u8],
    /// The kernel's interface.
    pub interface: &'a KernelInterface,
    /// The version of its code.
    pub specialisation: &'a Specialisation,
    /// Whether the object file of a program that was built with line tables has one. The code is the
    /// same.
    pub line_table: bool,
    /// Whether timed code may be reduced to its counter slice.
    pub counter_slice: bool,
}

/// What code generation makes.
pub struct Emitted {
    /// ELF, relocatable.
    pub object: MemoryBuffer<'static>,
    /// The work-group function's properties.
    pub formation: Formation,
    /// Vectors in the optimised code.
    pub vectors: VectorUse,
    /// How the kernel was vectorised; `None` if work-items run one after another.
    pub vectorized: Option<Vectorized>,
    /// Cost of the blocks on the simulated machine; of timed code only.
    pub cost: Option<KernelCost>,
    /// What the code depends on if it is a counter slice, which leaves the work to untimed code.
    pub counter_slice: Option<SliceDependence>,
    /// The data that its addresses and branches depend on: any if the code is not timed.
    pub followed: FollowedData,
    /// What the numbers in reports of checked code mean; of checked code only.
    pub checked: Option<CheckTables>,
    /// An optimisation failed.
    pub is_fallback: bool,
}

impl Emitted {
    /// The resources that the code uses.
    pub fn resource_use(&self) -> ResourceUse {
        let &Formation {
            resources,
            barriers,
            transfers,
            interchanged_loops,
            regions,
            barrier_sites: _,
            group_slots: _,
        } = &self.formation;
        ResourceUse {
            local_memory_bytes: resources.local_memory,
            private_memory: resources.private,
            code_bytes: code_bytes(self.object.as_slice()),
            barriers,
            transfers,
            interchanged_loops,
            regions,
            widest_vector: self.vectors.widest,
            vectorised: match self.vectors {
                VectorUse { widest: 1, .. } => Some(false),
                _ if self.vectorized.is_some() => Some(true),
                VectorUse {
                    loop_vectoriser: true,
                    ..
                } => resources.innermost.then_some(true),
                VectorUse { loops: true, .. } => Some(false),
                _ => None,
            },
        }
    }
}

/// Bytes of instructions in an object file.
fn code_bytes(object: &[u8]) -> u64 {
    object::File::parse(object).map_or(0, |file| {
        file.sections()
            .filter(|section| section.kind() == SectionKind::Text)
            .map(|section| section.size())
            .sum()
    })
}

/// Why a stage ends the compilation of a module.
pub enum Failure {
    /// LLVM refused the code.
    Refused(Refused),
    /// The vectoriser rejected the kernel and has changed its module: it is compiled again from
    /// the bitcode, with work-items one after another.
    Rejected(Rejected),
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<Rejected> for Failure {
    fn from(rejected: Rejected) -> Self {
        Self::Rejected(rejected)
    }
}

/// The compilation of one kernel, from a module of its own to an object file.
pub struct Compilation<'c, 'a> {
    pub(super) module: LeakOnPanic<Module<'c>>,
    pub(super) input: Input<'a>,
    pub(super) attempt: &'a Attempt,
    pub(super) observer: &'a mut dyn Observer,
    /// How wide vectors may be.
    pub(super) policy: WidthPolicy,
    /// Why work-items run one after another; `None` while they may become lanes.
    pub(super) rejected: Option<Rejected>,
    /// Whether the code is optimised.
    pub(super) optimise: bool,
    /// What makes the kernel too large to be optimised.
    pub(super) excess: Option<Excess>,
    pass_target: OnceCell<Rc<PooledMachine>>,
}

/// Compiles a kernel, as `attempt` allows.
///
/// # Errors
/// LLVM refused the code.
pub fn compile(
    context: &Context,
    input: Input<'_>,
    attempt: &Attempt,
    observer: &mut dyn Observer,
) -> Result<Emitted, Refused> {
    let mut rejected = initial_rejection(input.specialisation, attempt).map(Rejected::from);
    loop {
        let compilation = Compilation::new(context, input, attempt, &mut *observer, rejected)?;
        match compilation.run() {
            Ok(emitted) => return Ok(emitted),
            Err(Failure::Refused(refused)) => return Err(refused),
            Err(Failure::Rejected(reason)) => rejected = Some(reason),
        }
    }
}

/// Why the kernel is not vectorised, where its code does not matter.
fn initial_rejection(specialisation: &Specialisation, attempt: &Attempt) -> Option<Rejection> {
    if width_policy(specialisation) == WidthPolicy::None {
        Some(Rejection::Disabled)
    } else if !attempt.allows(Optimisation::Vectorisation) {
        Some(Rejection::CompilerFailure)
    } else {
        None
    }
}

fn width_policy(specialisation: &Specialisation) -> WidthPolicy {
    match &specialisation.timed {
        Some(timed) => WidthPolicy::Machine(timed.machine.array.lanes.value as u32),
        None => vectorize::width_policy_of_environment(),
    }
}

impl<'c, 'a> Compilation<'c, 'a> {
    pub(super) fn new(
        context: &'c Context,
        input: Input<'a>,
        attempt: &'a Attempt,
        observer: &'a mut dyn Observer,
        rejected: Option<Rejected>,
    ) -> Result<Self, Refused> {
        let module = shim::extract_function(context, input.bitcode, &input.interface.name)
            .ok_or_else(|| Refused("it cannot be read".into()))?;
        let module = LeakOnPanic::new(module);
        let excess = size_limits::excess(module.handle());
        let optimise = !module.is_marked(DO_NOT_OPTIMISE)
            && attempt.allows(Optimisation::Pipelines)
            && excess.is_none();
        Ok(Self {
            module,
            input,
            attempt,
            observer,
            policy: width_policy(input.specialisation),
            rejected,
            optimise,
            excess,
            pass_target: OnceCell::new(),
        })
    }

    fn run(mut self) -> Result<Emitted, Failure> {
        let mut checked = self.instrument()?;
        let lanes = self.prepare()?;
        let formation = self.form_work_groups(lanes)?;
        if let Some(table) = checked
            .as_mut()
            .and_then(|checked| checked.barriers.as_mut())
        {
            table.before_region.clone_from(&formation.barrier_sites);
        }
        let vectorized = self.vectorize(lanes)?;
        let (cost, counter_slice, followed) = match self.timed() {
            Some(timed) => {
                let (cost, counter_slice, followed) = self.cost(timed, &formation)?;
                (Some(cost), counter_slice, followed)
            }
            None => (None, None, FollowedData::Any),
        };
        let (object, vectors) = self.emit(&formation, vectorized.is_some())?;
        let emitted = Emitted {
            object,
            formation,
            vectors,
            vectorized,
            cost,
            counter_slice,
            followed,
            checked,
            is_fallback: self.attempt.is_fallback(),
        };
        show(self.observer, Stage::Resources, || {
            emitted.resource_use().to_string()
        });
        self.show_remarks(&emitted);
        Ok(emitted)
    }

    fn show_remarks(&mut self, emitted: &Emitted) {
        let outcome = match (&emitted.vectorized, &self.rejected) {
            (Some(vectorized), _) => VectorizationOutcome::Lanes(vectorized),
            (None, rejected) => VectorizationOutcome::Scalar {
                rejected: rejected.as_ref().expect("a rejection has a reason"),
                widest_vector: emitted.vectors.widest,
            },
        };
        show(self.observer, Stage::Remarks, || {
            let remarks = Remarks {
                interface: self.input.interface,
                specialisation: self.input.specialisation,
                outcome,
            };
            remarks.to_string()
        });
    }

    pub(super) fn timed(&self) -> Option<&'a Timed> {
        self.input.specialisation.timed.as_ref()
    }

    /// The vector unit that lanes are for.
    pub(super) fn vector_unit(&self) -> VectorUnit {
        match self.timed() {
            Some(timed) => VectorUnit::machine(&timed.machine),
            None => VectorUnit::host(),
        }
    }

    /// The target of passes before code generation. Timed code is that of the simulated machine,
    /// so that it must not depend on the host.
    pub(super) fn pass_target(&self) -> Rc<PooledMachine> {
        Rc::clone(self.pass_target.get_or_init(|| {
            Rc::new(match self.timed() {
                Some(_) => target::any_machine(self.optimise),
                None => target::machine(self.optimise),
            })
        }))
    }

    /// The kernel's function, before work-group formation.
    pub(super) fn kernel(&self) -> Value {
        ir::function(self.module.handle(), &self.input.interface.name)
            .expect("the module holds the kernel")
    }

    /// The function that work-group formation made.
    pub(super) fn work_group_function(&self) -> Value {
        ir::function(self.module.handle(), work_group::SYMBOL)
            .expect("work-group formation made it")
    }

    /// Shows the module's IR as it is after `stage`.
    pub(super) fn show_module(&mut self, stage: Stage) {
        let module = &self.module;
        show(self.observer, stage, || module.text());
    }

    pub(super) fn verify(&self) -> Result<(), Refused> {
        self.module.verify().map_err(Refused)
    }

    pub(super) fn run_passes(&self, passes: &str, target: &TargetMachine) -> Result<(), Refused> {
        shim::run_passes(&self.module, passes, target)
    }

    /// Lets functions use all features of the host's CPU.
    pub(super) fn target_the_host(&self) {
        for function in ir::functions(self.module.handle()) {
            if !function.is_declaration() {
                function.set_text_attribute("target-cpu", &target::HOST_CPU.name);
                function.set_text_attribute("target-features", &target::HOST_CPU.features);
            }
        }
    }
}
