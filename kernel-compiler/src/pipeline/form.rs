//! The second stage: the work-group function.

use super::compilation::Compilation;
use crate::inspect::stage::Stage;
use crate::shim::Refused;
use crate::work_group::{self, Formation};
use crate::work_items::Lanes;

impl Compilation<'_, '_> {
    /// Makes the kernel a function that runs a whole work-group.
    pub(super) fn form_work_groups(&mut self, lanes: Option<Lanes>) -> Result<Formation, Refused> {
        let formation = work_group::form(
            self.module.handle(),
            self.input.interface,
            self.input.specialisation,
            self.optimise,
            lanes,
            self.attempt,
            self.observer,
        )?;
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
}
