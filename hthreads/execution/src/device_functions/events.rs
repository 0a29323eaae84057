//! The counters of the performance monitor, in simulated time: cycles, interrupts, instructions of each unit, and
//! what the cost model knows of branches, packets, caches and stalls. Other events are not simulated.

use crate::device_thread::{DeviceThread, Request, current};
use crate::host_name::host_name;
use crate::progress::CodeEvents;
use device_sim::machine::Machine;
use std::sync::atomic::{AtomicU32, Ordering};

/// What an event counts.
#[derive(Clone, Copy)]
enum Counted {
    /// Cycles.
    Cycles,
    /// Interrupts taken.
    Interrupts,
    /// What code does.
    Code(fn(&CodeEvents, &Machine) -> u64),
    /// Exceptions taken: one stops its thread, so that a thread which reads the counter has taken none.
    Exceptions,
    /// Instructions of one of several units of a kind, to which they go one after the other.
    Unit {
        /// The place of the kind in `PerUnit`.
        kind: usize,
        /// The number of the unit.
        number: u64,
        /// All units of the kind.
        of: u64,
    },
}

/// The event of a number, if it is simulated.
fn counted(event: i32) -> Option<Counted> {
    let unit = |kind, number, of| Some(Counted::Unit { kind, number, of });
    match event {
        0 => Some(Counted::Cycles),
        1 => Some(Counted::Code(|code, _| code.taken.try_into().unwrap_or(0))),
        2 => Some(Counted::Interrupts),
        3 => Some(Counted::Code(|code, _| code.packets + code.empty_packets)),
        4 => Some(Counted::Code(data_misses)),
        5 => Some(Counted::Code(|code, machine| {
            match has_data_cache(machine) {
                true => code.cached.saturating_sub(data_misses(code, machine)),
                false => 0,
            }
        })),
        6 => Some(Counted::Code(|code, _| code.code_lines)),
        11 => Some(Counted::Code(|code, _| {
            let cycles: u64 = code.cycles.iter().sum();
            cycles.saturating_sub(code.cycles[0].max(code.packets))
        })),
        12 => Some(Counted::Code(|code, _| {
            code.cycles[0].saturating_sub(code.packets)
        })),
        13 => Some(Counted::Code(|code, _| code.packets)),
        14 => Some(Counted::Exceptions),
        15 => unit(0, 0, 1),
        16 | 17 => unit(1, event as u64 - 16, 2),
        18 => unit(2, 0, 1),
        19 => unit(3, 0, 1),
        20 => unit(4, 0, 1),
        21..=23 => unit(5, event as u64 - 21, 3),
        24 | 25 => unit(6, event as u64 - 24, 2),
        _ => None,
    }
}

fn has_data_cache(machine: &Machine) -> bool {
    machine.memory.l1d.size.value > 0
}

/// Lines that the data cache got or wrote through: all that the array itself moves, apart from code.
fn data_misses(code: &CodeEvents, machine: &Machine) -> u64 {
    let code_bytes = code.code_lines * machine.memory.l1p.line.value;
    match has_data_cache(machine) {
        true => code.traffic.saturating_sub(code_bytes) / machine.memory.l1d.line.value.max(1),
        false => 0,
    }
}

impl DeviceThread {
    /// What an event has counted since the thread has begun, for all units of the kind; `None` if it is
    /// not simulated.
    fn count(&self, event: i32) -> Option<u64> {
        let counted = counted(event)?;
        let code = self.progress()?.code_events();
        Some(match counted {
            Counted::Cycles => self.ask(Request::Clock),
            Counted::Interrupts => self.interrupts.taken(),
            Counted::Code(of) => of(&code, self.machine),
            Counted::Exceptions => 0,
            Counted::Unit { kind, .. } => code.issued[kind],
        })
    }
}

/// A counter that is not simulated stays 0, and the first use of each says so.
pub extern "C" fn prof_start(event: i32) {
    let thread = current();
    let count = thread.count(event);
    if count.is_none() {
        complain(event);
    }
    let mut starts = thread.events.get();
    if let Some(start) = starts.get_mut(event as usize) {
        *start = count;
    }
    thread.events.set(starts);
}

pub extern "C" fn prof_read(event: i32) -> u64 {
    let thread = current();
    let start = thread.events.get().get(event as usize).copied().flatten();
    let (Some(start), Some(counted)) = (start, counted(event)) else {
        return 0;
    };
    let count = thread.count(event).unwrap_or(start).saturating_sub(start);
    match counted {
        Counted::Unit { number, of, .. } => (count + of - 1 - number) / of,
        _ => count,
    }
}

pub extern "C" fn prof_end(event: i32) -> u64 {
    let count = prof_read(event);
    let thread = current();
    let mut starts = thread.events.get();
    if let Some(start) = starts.get_mut(event as usize) {
        *start = None;
    }
    thread.events.set(starts);
    count
}

fn complain(event: i32) {
    static SAID: AtomicU32 = AtomicU32::new(0);
    let bit = 1u32.checked_shl(event as u32).unwrap_or(1 << 31);
    if SAID.fetch_or(bit, Ordering::Relaxed) & bit == 0 {
        let when = match counted(event) {
            Some(_) => " without simulated time",
            None => "",
        };
        eprintln!(
            "{}: prof_start: event {event} is not counted{when}",
            host_name()
        );
    }
}
