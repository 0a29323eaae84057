//! The last stage: LLVM's optimisation for the host's CPU, and code generation.

use super::compilation::Compilation;
use super::fallback::Optimisation;
use super::module_guard::LeakOnPanic;
use super::vector_use::VectorUse;
use crate::inspect::stage::Stage;
use crate::passes::{
    lower_masked_access, masked_load, reciprocal_estimates, rounded_half, single_lane_store,
    static_allocas, streaming_store, wide_masks,
};
use crate::shim::{self, FileType, Refused};
use crate::target;
use crate::vectorize::VectorUnit;
use crate::work_group::Formation;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::targets::TargetMachine;
use std::rc::Rc;

const OPTIMISE: &str = "default<O3>";
/// Of vector code, in which all but long functions are inlined already: the passes of `default<O3>` for functions, with `instcombine`
/// twice instead of eight times. With three, they took 0.6 times as long.
const OPTIMISE_VECTORS: &str = "function<eager-inv>(\
    sroa<modify-cfg>,early-cse<memssa>,jump-threading,correlated-propagation,simplifycfg,\
    instcombine<no-verify-fixpoint>,reassociate,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate,licm,\
    simple-loop-unswitch<nontrivial>),simplifycfg,\
    loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,vector-combine,\
    mldst-motion,gvn,sccp,bdce,memcpyopt,dse,loop-mssa(licm),\
    adce,simplifycfg<hoist-common-insts;sink-common-insts>,float2int,\
    loop(loop-rotate,loop-deletion),loop-distribute,inject-tli-mappings,loop-vectorize,early-cse,\
    simplifycfg<forward-switch-cond;switch-to-lookup;no-keep-loops>,slp-vectorizer,vector-combine,\
    loop-unroll<O3>,sroa<preserve-cfg>,instcombine<no-verify-fixpoint>,loop-mssa(licm),\
    alignment-from-assumptions,loop-sink,instsimplify,div-rem-pairs,simplifycfg)";
/// As `OPTIMISE`, with OpenCL's vectors scalarised before: where the loops over work-items are
/// innermost, LLVM's loop vectoriser makes wider vectors of the components.
const SCALARIZE_AND_OPTIMISE: &str = "function(scalarizer<load-store>),default<O3>";
/// What code generation needs, and no optimisation.
pub(super) const LOWER: &str = "function(mem2reg),always-inline";
/// As `LOWER`, without vectors, which the quickest code generation takes long for.
const LOWER_WITHOUT_VECTORS: &str =
    "function(mem2reg),always-inline,function(scalarizer<load-store>)";

impl Compilation<'_, '_> {
    /// The object file, and the vectors in it if an observer shows them.
    pub(super) fn emit(
        &mut self,
        formation: &Formation,
        is_vectorized: bool,
    ) -> Result<(MemoryBuffer<'static>, VectorUse), Refused> {
        let target = match self.excess {
            Some(_) => Rc::new(target::quick_machine()),
            None if self.timed().is_some() => Rc::new(target::machine(self.optimise)),
            None => self.pass_target(),
        };
        self.optimise_for_the_host(formation, is_vectorized, &target)?;
        static_allocas::hoist(self.module.handle());
        single_lane_store::scalarize(self.module.handle());
        rounded_half::widen(self.module.handle());
        reciprocal_estimates::lower(self.module.handle(), target::has_reciprocal_estimates());
        masked_load::widen(self.module.handle(), target::has_masked_access);
        let host = VectorUnit::host();
        if !host.mask_registers {
            let module = self.module.handle();
            lower_masked_access::rewrite_branching_stores(module, target::has_masked_access);
            if is_vectorized {
                wide_masks::widen(self.work_group_function(), host.register_bits);
            }
        }
        if is_vectorized && self.input.specialisation.large_output {
            streaming_store::select(self.work_group_function());
        }
        self.show_module(Stage::Optimised);
        let shows_vectors =
            self.observer.wants(Stage::Resources) || self.observer.wants(Stage::Remarks);
        let vectors = if shows_vectors {
            VectorUse::count(&self.module)
        } else {
            VectorUse::NONE
        };
        let assembly = if self.observer.wants(Stage::Assembly) {
            // Of a copy: code generation changes the module.
            let copy = LeakOnPanic::new(self.module.clone());
            Some(shim::emit(&copy, &target, FileType::Assembly)?)
        } else {
            None
        };
        if self.input.line_table {
            self.work_group_function().attach_line_table();
        }
        let object = shim::emit(&self.module, &target, FileType::Object)?;
        if let Some(assembly) = assembly {
            let assembly = String::from_utf8_lossy(assembly.as_slice());
            self.observer.see(Stage::Assembly, &assembly);
        }
        Ok((object, vectors))
    }

    fn optimise_for_the_host(
        &self,
        formation: &Formation,
        is_vectorized: bool,
        target: &TargetMachine,
    ) -> Result<(), Refused> {
        let scalarize = formation.resources.innermost
            && !is_vectorized
            && self.timed().is_none()
            && self.attempt.allows(Optimisation::Scalarisation);
        let (passes, optimisation) = match self.optimise {
            false if self.excess.is_some() => (LOWER_WITHOUT_VECTORS, None),
            false => (LOWER, None),
            true if is_vectorized => (OPTIMISE_VECTORS, None),
            true if scalarize => (SCALARIZE_AND_OPTIMISE, Some(Optimisation::Scalarisation)),
            true => (OPTIMISE, Some(Optimisation::Pipelines)),
        };
        match optimisation {
            Some(optimisation) => self
                .attempt
                .run(optimisation, || self.run_passes(passes, target)),
            // Without an optimisation to blame: LLVM may fail on the vectoriser's code.
            None => self.run_passes(passes, target),
        }
    }
}
