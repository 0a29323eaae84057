//! The duration of host commands: copies, fills and other accesses of the general-purpose zone's CPUs
//! to clusters' memories.
//!
//! The CPUs access all DDR, so that every copy is one within DDR, whichever clusters' parts source and
//! destination are in. Caches are not coherent: CPUs invalidate lines before they read what arrays
//! have written, and write lines back before arrays read what CPUs have written.

use crate::machine::Machine;
use crate::units::{Nanoseconds, scale_up, time_at_rate};

/// Picoseconds of a nanosecond.
const PICOSECONDS: u64 = 1000;

/// The kind of a host command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostCommand {
    /// Copies from a memory object to the program's memory.
    Read,
    /// Copies from the program's memory to a memory object.
    Write,
    /// Copies from a memory object to another.
    Copy,
    /// Fills a memory object.
    Fill,
    /// Makes a memory object visible to the program: lines are invalidated. Bytes held by another memory
    /// are migrated before, as a `Migrate`.
    Map,
    /// Makes the program's writes visible to the arrays: lines are written back.
    Unmap,
    /// Moves to another cluster's memory, or from or to the host's.
    Migrate,
}

/// The time that a host command takes on its own, with `rows` rows of `bytes` bytes in all. A
/// command without bytes takes what starting it takes.
pub fn duration(machine: &Machine, command: HostCommand, bytes: u64, rows: u64) -> Nanoseconds {
    let costs = &machine.host;
    let lines = bytes.div_ceil(machine.open_cl.cache_line.value);
    let cached = Nanoseconds(scale_up(lines, costs.cache_line.value, PICOSECONDS));
    let copied = time_at_rate(bytes, costs.copy_bandwidth.value);
    let refills = match costs.fifo.value {
        0 => 0,
        fifo => bytes.div_ceil(fifo).saturating_sub(1),
    };
    let refilled = Nanoseconds(costs.fifo_refill.value).saturating_mul(refills);
    let moved = match command {
        // Source lines are invalidated, since arrays wrote them; destination lines are written
        // back, since arrays read them.
        HostCommand::Copy => copied.saturating_add(cached).saturating_add(cached),
        HostCommand::Migrate => copied
            .saturating_add(cached)
            .saturating_add(cached)
            .saturating_add(refilled),
        HostCommand::Read | HostCommand::Write => {
            copied.saturating_add(cached).saturating_add(refilled)
        }
        HostCommand::Fill => time_at_rate(bytes, costs.fill_bandwidth.value).saturating_add(cached),
        HostCommand::Map | HostCommand::Unmap => cached,
    };
    let rows = Nanoseconds(costs.row.value).saturating_mul(rows.saturating_sub(1));
    moved
        .saturating_add(rows)
        .saturating_add(Nanoseconds(costs.start.value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [HostCommand; 7] = [
        HostCommand::Read,
        HostCommand::Write,
        HostCommand::Copy,
        HostCommand::Fill,
        HostCommand::Map,
        HostCommand::Unmap,
        HostCommand::Migrate,
    ];

    /// Numbers with which a command is easily computed.
    fn machine() -> Machine {
        let mut machine = Machine::mt3000();
        machine.host.start.value = 1000;
        machine.host.copy_bandwidth.value = 1_000_000_000;
        machine.host.fill_bandwidth.value = 2_000_000_000;
        machine.host.row.value = 7;
        machine.host.cache_line.value = 500;
        machine
    }

    #[test]
    fn commands_take_what_their_bytes_rows_and_lines_take() {
        let machine = machine();
        // 64 lines of 0.5 ns.
        let of = |command| duration(&machine, command, 4096, 1).0;
        assert_eq!(of(HostCommand::Read), 1000 + 4096 + 32);
        assert_eq!(of(HostCommand::Write), 1000 + 4096 + 32);
        assert_eq!(of(HostCommand::Copy), 1000 + 4096 + 64);
        assert_eq!(of(HostCommand::Migrate), 1000 + 4096 + 64);
        assert_eq!(of(HostCommand::Fill), 1000 + 2048 + 32);
        assert_eq!(of(HostCommand::Map), 1000 + 32);
        assert_eq!(of(HostCommand::Unmap), 1000 + 32);
        for command in ALL {
            assert_eq!(duration(&machine, command, 0, 0).0, 1000);
            let rows = duration(&machine, command, 4096, 5).0;
            assert_eq!(rows, of(command) + 4 * 7);
        }
    }

    #[test]
    fn transfers_larger_than_the_fifo_wait_until_it_is_filled_again() {
        let mut machine = machine();
        machine.host.fifo.value = 1024;
        machine.host.fifo_refill.value = 300;
        let of = |command, bytes| duration(&machine, command, bytes, 1).0;
        let without = |command, bytes| duration(&self::machine(), command, bytes, 1).0;
        for command in [HostCommand::Read, HostCommand::Write, HostCommand::Migrate] {
            assert_eq!(of(command, 1024), without(command, 1024));
            assert_eq!(of(command, 1025), without(command, 1025) + 300);
            assert_eq!(of(command, 4096), without(command, 4096) + 3 * 300);
        }
        assert_eq!(
            of(HostCommand::Copy, 4096),
            without(HostCommand::Copy, 4096)
        );
    }

    #[test]
    fn no_size_is_too_large() {
        for command in ALL {
            assert_eq!(
                duration(&machine(), command, u64::MAX, u64::MAX),
                Nanoseconds::MAX,
                "{command:?}"
            );
        }
    }
}
