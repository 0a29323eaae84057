//! The third stage: work-items become lanes of vectors.

use super::compilation::{Compilation, Failure};
use super::fallback::Optimisation;
use crate::guard;
use crate::inspect::stage::Stage;
use crate::passes::{index_narrowing, integer_narrowing, interleaved_vectors};
use crate::vectorize::{self, JammedLoop, Vectorized, WidthPolicy};
use crate::work_items::Lanes;

impl Compilation<'_, '_> {
    /// Vectorises the loops over work-items; `None` without lanes.
    ///
    /// # Errors
    /// `Failure::Rejected`: the loops are not fit for it, or vector code is not profitable.
    pub(super) fn vectorize(
        &mut self,
        lanes: Option<Lanes>,
    ) -> Result<Option<Vectorized>, Failure> {
        let Some(lanes) = lanes else {
            return Ok(None);
        };
        let mut vectorized = self.vectorize_loops(lanes)?;
        let function = self.work_group_function();
        let vectors = self.vector_unit();
        if self.attempt.allows(Optimisation::UnrollAndJam) {
            self.attempt.run(Optimisation::UnrollAndJam, || {
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
        if self.attempt.allows(Optimisation::LoopDistribution) {
            self.attempt.run(Optimisation::LoopDistribution, || {
                vectorize::distribute_loops(function, vectors);
                Ok(())
            })?;
        }
        // The simulated machine's loads and stores take components apart.
        if self.timed().is_none() {
            interleaved_vectors::join(function);
        }
        self.show_module(Stage::Lanes);
        self.verify()?;
        Ok(Some(vectorized))
    }

    fn vectorize_loops(&self, lanes: Lanes) -> Result<Vectorized, Failure> {
        let target = self.pass_target();
        let by_cost = self.policy == WidthPolicy::ByCost;
        let verdict = self.attempt.run(Optimisation::Vectorisation, || {
            vectorize::disjoint_ors_to_adds(self.work_group_function());
            self.run_passes(vectorize::PREPARE, &target)?;
            guard::check();
            let function = self.work_group_function();
            index_narrowing::narrow_indices(function);
            // The simulated machine computes with 32 bits.
            if self.timed().is_none() {
                integer_narrowing::narrow_expressions(function);
            }
            let vectors = self.vector_unit();
            if vectorize::join_window_loops(function, lanes.count, vectors) {
                self.run_passes("function(loop-simplify,lcssa)", &target)?;
            }
            let function = self.work_group_function();
            vectorize::add_guard_versions(function, lanes.count, vectors);
            if vectorize::block_row_walks(function, lanes.count, vectors) {
                self.run_passes("function(loop-simplify,lcssa)", &target)?;
            }
            let function = self.work_group_function();
            let verdict = vectorize::vectorize(function, lanes, vectors, by_cost);
            if verdict.is_ok() {
                self.run_passes(vectorize::PREPARE_UNROLL_AND_JAM, &target)?;
            }
            Ok(verdict)
        })?;
        verdict.map_err(|rejected| {
            let kernel = &self.input.interface.name;
            log::debug!("kernel `{kernel}` is not vectorised: {}", rejected.reason);
            Failure::Rejected(rejected)
        })
    }
}
