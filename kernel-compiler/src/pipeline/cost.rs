//! The fourth stage, of timed code only: its cost on the simulated machine, and the counters that
//! the cost is multiplied with.

use super::compilation::Compilation;
use crate::inspect::stage::{Stage, show};
use crate::passes::{instrumentation, lower_masked_access};
use crate::shim::Refused;
use crate::vectorize::VectorUnit;
use crate::{device_cost_model, guard, work_group};
use device_sim::timing::cost::KernelCost;

/// Simplifies timed code, so that its cost is that of necessary work.
const SIMPLIFY_TIMED: &str = "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
    instcombine<no-verify-fixpoint>,loop-simplify,loop-mssa(licm),loop(loop-deletion),\
    gvn<no-pre>,dse,adce,simplifycfg,loop-simplify)";

impl Compilation<'_, '_> {
    /// The cost of each block of timed code.
    pub(super) fn cost(&mut self) -> Result<Option<KernelCost>, Refused> {
        let Some(timed) = self.timed() else {
            return Ok(None);
        };
        let passes = if self.optimise {
            SIMPLIFY_TIMED
        } else {
            super::emit::LOWER
        };
        self.run_passes(passes, &self.pass_target())?;
        let function = self.work_group_function();
        guard::check();
        let (cost, plan) = device_cost_model::cost(function, &timed.machine, &timed.layout);
        let module = &self.module;
        show(self.observer, Stage::Timed, || {
            work_group::report::name_blocks(function);
            let costs = device_cost_model::dump(function, &cost);
            let comments: String = costs.lines().map(|line| format!("; {line}\n")).collect();
            comments + &module.text()
        });
        instrumentation::insert(function, &plan);
        if !VectorUnit::host().mask_registers {
            lower_masked_access::rewrite(function);
        }
        self.target_the_host();
        self.verify()?;
        Ok(Some(cost))
    }
}
