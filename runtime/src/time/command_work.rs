//! The work of an executed command, and the time it costs on the simulated machine.

use crate::memory::transfer::{MemoryLocation, Transfer};
use crate::time::accelerator_task::AcceleratorTask;
use device_sim::machine::Machine;
use device_sim::timing::host_command::{self, HostCommand};
use device_sim::timing::pending_report::PendingReport;
use device_sim::units::Nanoseconds;
use recording::Prediction;
use std::sync::Arc;

/// The work of an executed command.
#[derive(Default)]
pub(crate) struct CommandWork {
    /// Transfers between memories, which come first or are the command itself.
    pub moved: Vec<Transfer>,
    /// The transfer that the host performs, if any.
    pub host: Option<HostTransfer>,
    /// The report of a launch of timed code, or of a task.
    pub report: Option<Arc<PendingReport>>,
    /// The prediction of a launch.
    pub predicted: Option<Prediction>,
    /// The task of a built-in kernel.
    pub task: Option<AcceleratorTask>,
}

/// A command's own transfer, which the host performs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostTransfer {
    pub command: HostCommand,
    /// Bytes in all rows.
    pub bytes: u64,
    /// Number of rows.
    pub rows: u64,
}

impl HostTransfer {
    /// The transfer of a region: bytes, rows, slices.
    pub fn on_region(command: HostCommand, [bytes, rows, slices]: [usize; 3]) -> Self {
        Self {
            command,
            bytes: (bytes * rows * slices) as u64,
            rows: (rows * slices) as u64,
        }
    }
}

impl CommandWork {
    /// The work of a command that is only a transfer by the host.
    pub fn by_host(work: HostTransfer) -> Self {
        Self {
            host: Some(work),
            ..Self::default()
        }
    }

    /// Bytes moved between memories.
    pub fn moved_bytes(&self) -> u64 {
        self.moved.iter().map(|transfer| transfer.bytes).sum()
    }

    /// The transfers before the command itself, which may be a transfer too.
    fn moved_before(&self) -> impl Iterator<Item = &Transfer> {
        let command = self.host.map(|work| work.command);
        // The written bytes come last.
        let others = match command {
            Some(HostCommand::Write) => self.moved.len().saturating_sub(1),
            _ => self.moved.len(),
        };
        self.moved[..others].iter().filter(move |transfer| {
            command != Some(HostCommand::Read) || transfer.to != MemoryLocation::Host
        })
    }

    /// Bytes of the transfers before the command itself.
    pub fn bytes_moved_before(&self) -> u64 {
        self.moved_before().map(|transfer| transfer.bytes).sum()
    }

    /// The time of the simulated host before the command itself, and for it.
    pub fn host_times(&self, machine: &Machine) -> (Nanoseconds, Nanoseconds) {
        let before = self
            .moved_before()
            .map(|transfer| {
                host_command::duration(machine, HostCommand::Migrate, transfer.bytes, 1)
            })
            .fold(Nanoseconds::ZERO, Nanoseconds::saturating_add);
        let own = self.host.map_or(Nanoseconds::ZERO, |work| {
            host_command::duration(machine, work.command, work.bytes, work.rows)
        });
        match self.host.map(|work| work.command) {
            // The migrations are the command itself.
            Some(HostCommand::Migrate) if before > Nanoseconds::ZERO => (Nanoseconds::ZERO, before),
            _ => (before, own),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLUSTER: MemoryLocation = MemoryLocation::Cluster(0);

    fn transfer(from: MemoryLocation, to: MemoryLocation, bytes: u64) -> Transfer {
        Transfer { from, to, bytes }
    }

    fn spent(command: Option<HostCommand>, moved: Vec<Transfer>) -> (u64, u64) {
        let host = command.map(|command| HostTransfer::on_region(command, [10, 3, 1]));
        let spent = CommandWork {
            moved,
            host,
            ..CommandWork::default()
        };
        let (before, own) = spent.host_times(&Machine::mt3000());
        (before.0, own.0)
    }

    fn takes(command: HostCommand, bytes: u64, rows: u64) -> u64 {
        host_command::duration(&Machine::mt3000(), command, bytes, rows).0
    }

    #[test]
    fn the_transfer_of_the_command_itself_is_counted_once() {
        let (to, from) = (
            transfer(MemoryLocation::Host, CLUSTER, 30),
            transfer(CLUSTER, MemoryLocation::Host, 30),
        );
        let gaps = transfer(MemoryLocation::Host, CLUSTER, 50);
        let moving = takes(HostCommand::Migrate, 50, 1);
        let write = takes(HostCommand::Write, 30, 3);
        assert_eq!(spent(Some(HostCommand::Write), vec![to]), (0, write));
        assert_eq!(
            spent(Some(HostCommand::Write), vec![gaps, to]),
            (moving, write)
        );
        let read = takes(HostCommand::Read, 30, 3);
        assert_eq!(spent(Some(HostCommand::Read), vec![from]), (0, read));
        assert_eq!(spent(Some(HostCommand::Read), vec![]), (0, read));
        let map = takes(HostCommand::Map, 30, 3);
        assert_eq!(spent(Some(HostCommand::Map), vec![gaps]), (moving, map));
        let migrate = Some(HostCommand::Migrate);
        assert_eq!(spent(migrate, vec![gaps]), (0, moving));
        assert!(spent(migrate, vec![]).1 > 0);
        assert_eq!(spent(None, vec![gaps]), (moving, 0));
        assert_eq!(spent(None, vec![]), (0, 0));
    }
}
