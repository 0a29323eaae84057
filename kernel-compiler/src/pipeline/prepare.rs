//! The first stage: canonical loops and simple code, of which the other stages are made.

use super::compilation::Compilation;
use super::fallback::Optimisation;
use crate::analysis::addressing;
use crate::check::{self, CheckTables, Checks};
use crate::guard;
use crate::inspect::stage::Stage;
use crate::intrinsics::{CHECKED, DMA_TRANSFER};
use crate::ir;
use crate::link;
use crate::passes::{image_specialisation, nest_jam, varying_trip_counts};
use crate::shim::Refused;
use crate::vectorize::{self, Rejection, WidthPolicy};
use crate::work_group::{async_copy_events, constant_local_size, small_ids, uniform_trip_counts};
use crate::work_items::Lanes;

/// Brings loops into the form that work-group formation recognises.
const CANONICAL_LOOPS: &str = "function(loop-simplify,loop(loop-rotate),instsimplify)";

/// Simplifies the code of one work-item before it is vectorised: unrolls small loops, moves private
/// arrays to registers. Unrolls twice: a loop whose bounds depend on an outer counter has constant ones when
/// the outer loop is unrolled. Without `licm`, which drops no-wrap flags of index computations.
pub(crate) const SIMPLIFY_WORK_ITEM: &str = "always-inline,function(loop(indvars,loop-deletion),\
    loop-unroll<O3;no-partial;no-runtime;no-upperbound>,\
    loop-unroll<O3;no-partial;no-runtime;no-upperbound>,sroa<modify-cfg>,gvn<no-pre>,\
    instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,loop(loop-rotate))";

impl Compilation<'_, '_> {
    /// Instruments memory accesses of checked code, and lowers waits for DMA transfers.
    pub(super) fn instrument(&self) -> Result<Option<CheckTables>, Refused> {
        let interface = self.input.interface;
        let mut checks = self.input.specialisation.checks;
        if ir::function(self.module.handle(), DMA_TRANSFER).is_none() {
            checks -= Checks::TRANSFERS;
        }
        let tables =
            (!checks.is_empty()).then(|| check::instrument(&self.module, interface, checks));
        check::images::forget(self.module.handle());
        if self.module.is_marked(CHECKED) && self.optimise {
            // What `link::complete` leaves out of programs to be checked.
            self.run_passes(link::SIMPLIFY, &self.pass_target())?;
        }
        // Passes end the life of handles.
        let module = self.module.handle();
        if checks.intersects(Checks::DMA | Checks::TRANSFERS) || self.timed().is_some() {
            async_copy_events::wait_one_by_one(module);
        } else {
            async_copy_events::forget(module);
        }
        Ok(tables)
    }

    /// Simplifies the kernel and chooses its lanes; `None` if it is not to be vectorised.
    pub(super) fn prepare(&mut self) -> Result<Option<Lanes>, Refused> {
        let lanes = self.choose_lanes();
        if self.optimise {
            self.simplify(lanes.is_some())?;
        }
        image_specialisation::mark_constant_loads(self.module.handle());
        self.show_module(Stage::Simplified);
        guard::check();
        let by_cost = self.policy == WidthPolicy::ByCost;
        let specialisation = self.input.specialisation;
        if specialisation.small_launch {
            addressing::mark_small_objects(self.kernel());
        }
        Ok(lanes.map(|lanes| {
            vectorize::choose_dimension(self.kernel(), lanes, specialisation, by_cost)
        }))
    }

    /// The lanes that the kernel may have; otherwise notes the reason against it.
    fn choose_lanes(&mut self) -> Option<Lanes> {
        if self.rejected.is_some() {
            return None;
        }
        let chosen = if self.optimise {
            let specialisation = self.input.specialisation;
            vectorize::choose_width(
                self.kernel(),
                self.policy,
                specialisation,
                self.vector_unit(),
            )
        } else {
            Err(self
                .excess
                .map_or(Rejection::NotOptimised, Rejection::Excess))
        };
        chosen
            .map_err(|rejection| self.rejected = Some(rejection.into()))
            .ok()
    }

    fn simplify(&self, has_lanes: bool) -> Result<(), Refused> {
        let target = self.pass_target();
        self.attempt.run(Optimisation::Pipelines, || {
            if let Some(size) = self.input.specialisation.local_size {
                constant_local_size::fix(self.kernel(), size);
            }
            if self.input.specialisation.small_launch && self.timed().is_none() {
                small_ids::mark(self.kernel());
            }
            self.run_passes(CANONICAL_LOOPS, &target)?;
            if !has_lanes && self.timed().is_none() {
                varying_trip_counts::keep_rolled(self.kernel());
            }
            Ok(())
        })?;
        if has_lanes || self.timed().is_some() {
            self.attempt.run(Optimisation::Vectorisation, || {
                vectorize::inline_calls(self.module.handle());
                self.run_passes(SIMPLIFY_WORK_ITEM, &target)
            })?;
        }
        if has_lanes && self.timed().is_none() {
            self.attempt.run(Optimisation::Vectorisation, || {
                uniform_trip_counts::count(self.kernel());
                Ok(())
            })?;
        }
        if has_lanes && self.timed().is_none() && self.attempt.allows(Optimisation::UnrollAndJam) {
            let separate_objects = self.input.specialisation.separate_objects;
            self.attempt.run(Optimisation::UnrollAndJam, || {
                nest_jam::run(self.kernel(), separate_objects);
                Ok(())
            })?;
        }
        self.attempt.run(Optimisation::Pipelines, || {
            image_specialisation::specialise(
                &self.module,
                self.input.interface,
                self.input.specialisation,
                &target,
            )
        })
    }
}
