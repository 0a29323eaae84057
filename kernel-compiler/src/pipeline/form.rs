//! The second stage: the work-group function.

use super::compilation::Compilation;
use crate::inspect::stage::Stage;
use crate::shim::Refused;
use crate::vectorize;
use crate::work_group::{self, Formation};
use crate::work_items::{Lanes, innermost_dimension};

impl Compilation<'_, '_> {
    /// Makes the kernel a function that runs a whole work-group.
    pub(super) fn form_work_groups(&mut self, lanes: Option<Lanes>) -> Result<Formation, Refused> {
        let group_dimension = self.group_dimension(lanes);
        let mut formation = work_group::form(
            self.module.handle(),
            self.input.interface,
            self.input.specialisation,
            self.optimise,
            lanes,
            self.attempt,
            self.observer,
        )?;
        formation.resources.group_dimension = group_dimension;
        let function = self.work_group_function();
        if function.is_debugged() {
            function.complete_debug_info();
        }
        self.show_module(Stage::WorkGroupFunction);
        self.verify()?;
        if self.timed().is_none() {
            self.target_the_host();
        }
        Ok(formation)
    }

    /// The dimension of the lanes, if it was chosen for the accesses and all of them are consecutive or uniform along it.
    /// Otherwise x.
    fn group_dimension(&self, lanes: Option<Lanes>) -> usize {
        lanes
            .filter(|lanes| lanes.dimension != innermost_dimension(self.input.specialisation))
            .filter(|lanes| vectorize::is_consecutive_along(self.kernel(), *lanes))
            .map_or(0, |lanes| lanes.dimension)
    }
}
