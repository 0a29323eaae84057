//! The fourth stage, of timed code only: its cost on the simulated machine, and the counters that
//! the cost is multiplied with.

use super::compilation::Compilation;
use super::fallback::Optimisation;
use crate::inspect::stage::{Stage, show};
use crate::kernel::specialisation::{Timed, TimedPurpose};
use crate::passes::counter_slice::{self, KnownMemory, followed_data};
use crate::passes::{footprints, instrumentation, lower_masked_access};
use crate::shim::Refused;
use crate::vectorize::VectorUnit;
use crate::work_group::Formation;
use crate::{device_cost_model, guard, work_group};
use device_sim::timing::cost::{FollowedData, KernelCost, SliceDependence};

/// Simplifies timed code, so that its cost is that of necessary work.
const SIMPLIFY_TIMED: &str = "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
    instcombine<no-verify-fixpoint>,loop-simplify,loop-mssa(licm),loop(loop-deletion),\
    gvn<no-pre>,dse,adce,simplifycfg,loop-simplify)";

impl Compilation<'_, '_> {
    /// The cost of each block of timed code, what the code depends on if it is reduced to its counter
    /// slice, and what its addresses and branches depend on.
    pub(super) fn cost(
        &mut self,
        timed: &Timed,
        formation: &Formation,
    ) -> Result<(KernelCost, Option<SliceDependence>, FollowedData), Refused> {
        let passes = if self.optimise {
            SIMPLIFY_TIMED
        } else {
            super::emit::LOWER
        };
        self.run_passes(passes, &self.pass_target())?;
        let function = self.work_group_function();
        guard::check();
        let (mut cost, plan) = device_cost_model::cost(function, &timed.machine, &timed.layout);
        let module = &self.module;
        show(self.observer, Stage::Timed, || {
            work_group::report::name_blocks(function);
            let costs = device_cost_model::dump(function, &cost);
            let comments: String = costs.lines().map(|line| format!("; {line}\n")).collect();
            comments + &module.text()
        });
        instrumentation::insert(function, &plan);
        let memory = self.known_memory(formation);
        let followed = followed_data::find(function, memory);
        let counter_slice = match timed.purpose {
            TimedPurpose::Advice => {
                let name = |offset| self.argument_name(offset);
                cost.loaded_arguments = footprints::insert(function, plan.argument_loads, name);
                None
            }
            TimedPurpose::Execution | TimedPurpose::Prediction => {
                self.reduce_to_counters(timed.purpose, memory)?
            }
        };
        if !VectorUnit::host().mask_registers {
            lower_masked_access::rewrite(function);
        }
        self.target_the_host();
        self.verify()?;
        Ok((cost, counter_slice, followed))
    }

    /// The name of the argument at an offset in the argument block.
    fn argument_name(&self, offset: u64) -> Option<String> {
        let mut arguments = self.input.interface.arguments.iter();
        let found = arguments.find(|argument| argument.offset as u64 == offset)?;
        Some(found.name.clone())
    }

    fn known_memory<'f>(&self, formation: &'f Formation) -> KnownMemory<'f> {
        KnownMemory {
            group_slots: &formation.group_slots,
            separate_objects: self.input.specialisation.separate_objects,
        }
    }

    /// Reduces the function to its counter slice, if it has one; what that depends on.
    fn reduce_to_counters(
        &self,
        purpose: TimedPurpose,
        memory: KnownMemory<'_>,
    ) -> Result<Option<SliceDependence>, Refused> {
        let function = self.work_group_function();
        if !self.input.counter_slice
            || !self.optimise
            || function.is_debugged()
            || !self.input.specialisation.checks.is_empty()
            || !self.attempt.allows(Optimisation::CounterSlice)
        {
            return Ok(None);
        }
        self.attempt.run(Optimisation::CounterSlice, || {
            let kernel = &self.input.interface.name;
            let slice = match counter_slice::find(function, memory) {
                Ok(slice) => slice,
                Err(obstacle) => {
                    log::debug!("timed kernel `{kernel}` has no counter slice: {obstacle}");
                    return Ok(None);
                }
            };
            let is_wanted = purpose == TimedPurpose::Prediction
                || counter_slice::is_profitable(function, &slice);
            if !is_wanted {
                log::debug!("timed kernel `{kernel}` has no counter slice: it is not profitable");
                return Ok(None);
            }
            counter_slice::reduce(function, &slice);
            Ok(Some(slice.dependence))
        })
    }
}
