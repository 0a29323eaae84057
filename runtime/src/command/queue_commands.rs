//! Markers, barriers and migrations (OpenCL 1.2, sections 5.4.4 and 5.10).

use crate::command::{Command, Order};
use crate::event::CommandType;
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::MemoryAccess;
use crate::memory::residency::AccessKind;
use crate::time::command_work::{CommandWork, HostTransfer};
use device_sim::timing::host_command::HostCommand;
use std::sync::Arc;

impl Command {
    /// `clEnqueueMarkerWithWaitList`: ends after its wait list, or after all earlier commands if
    /// that is empty.
    pub fn marker() -> Self {
        Self::without_work(CommandType::Marker).ordered_as(Order::Marker)
    }
    /// `clEnqueueBarrierWithWaitList`: as `marker`, and later commands wait for it.
    pub fn barrier() -> Self {
        Self::without_work(CommandType::Barrier).ordered_as(Order::Barrier)
    }

    fn without_work(command_type: CommandType) -> Self {
        Self::new(command_type, Vec::new(), || Ok(CommandWork::default())).short()
    }

    /// `clEnqueueMigrateMemObjects`, to the queue's device or to the host; without the contents
    /// if these are `undefined` afterwards.
    pub fn migrate(objects: Vec<MemObject>, to_host: bool, undefined: bool) -> Self {
        let contexts = objects.iter().map(|object| Arc::clone(object.context()));
        let kind = if undefined {
            AccessKind::Overwrite
        } else {
            AccessKind::Read
        };
        let command = Self::new(CommandType::MigrateMemObjects, contexts, || {
            let nothing = HostTransfer::on_region(HostCommand::Migrate, [0; 3]);
            Ok(CommandWork::by_host(nothing))
        });
        let accesses = objects.into_iter();
        let command = command.accessing(accesses.map(|object| MemoryAccess::to_all(object, kind)));
        if to_host { command.at_host() } else { command }
    }
}
