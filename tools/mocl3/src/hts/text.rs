//! The tables of `mocl3 hts run`.

use super::recorded::clock;
use crate::profile::format::{rate, time};
use device_sim::machine::Machine;
use device_sim::units::{ClockRate, Cycles};
use mocl3_shared::table::{Cell, Table};
use mocl3_shared::terminal::{columns, wrapped};
use std::io;
use task_scheduler::{Outcome, Settings, Stall};

/// The tables, below what differs from another machine: all schedulers, then accelerators and stalls with the chosen one.
pub fn tables(
    outcomes: &[Outcome],
    chosen: &Outcome,
    settings: &Settings,
    machine: &Machine,
    changes: &[String],
) -> String {
    let width = columns(&io::stdout());
    let hertz = clock(machine);
    let mut text = format!("{}, {}\n", machine.name, rate(hertz as f64, "Hz"));
    for sentence in changes {
        text += &format!("{}\n", wrapped(sentence, width, 4));
    }
    text.push('\n');
    let mut table = Table::new(&[
        "scheduler",
        "cycles",
        "time",
        "speedup",
        "tasks",
        "removed",
        "given up",
        "branches",
        "mispredicted",
    ]);
    let slowest = outcomes.first().map_or(0, |outcome| outcome.cycles);
    for outcome in outcomes {
        let nanoseconds = ClockRate::new(hertz).nanoseconds(Cycles(outcome.cycles));
        table.row(vec![
            outcome.scheduling.name().to_owned(),
            outcome.cycles.to_string(),
            time(nanoseconds.0),
            format!("{:.2}", slowest as f64 / outcome.cycles.max(1) as f64),
            outcome.tasks.to_string(),
            outcome.aborted.to_string(),
            outcome.given_up.to_string(),
            outcome.branches.to_string(),
            outcome.mispredicted.to_string(),
        ]);
    }
    text += &table.text(width);
    text += &units(chosen, settings, width);
    text + &stalls(chosen, width)
}

/// Per cent of the cycles of a run.
fn percent(cycles: u64, outcome: &Outcome) -> String {
    format!(
        "{:.1} %",
        cycles as f64 * 100.0 / outcome.cycles.max(1) as f64
    )
}

/// The accelerators that ran tasks.
fn units(outcome: &Outcome, settings: &Settings, width: Option<usize>) -> String {
    let heading = format!("accelerator ({})", outcome.scheduling.name());
    let mut table = Table::new(&[&heading, "tasks", "busy cycles", "utilisation"]);
    for unit in outcome.units.iter().filter(|unit| unit.busy > 0) {
        let function = &settings.functions[usize::from(unit.function)].name;
        table.row(vec![
            format!("{function} {}", unit.unit),
            unit.tasks.to_string(),
            unit.busy.to_string(),
            percent(unit.busy, outcome),
        ]);
    }
    match outcome.units.iter().any(|unit| unit.busy > 0) {
        true => table.text(width),
        false => String::new(),
    }
}

/// Cycles in which nothing was decoded; the host's schedulers decode nothing.
fn stalls(outcome: &Outcome, width: Option<usize>) -> String {
    let mut table = Table::new(&["no instruction decoded", "cycles", "of all"]);
    let mut is_empty = true;
    for (stall, reason) in Stall::ALL {
        let cycles = outcome.stalls.get(stall);
        if cycles > 0 {
            is_empty = false;
            let cells = [
                reason.to_owned(),
                cycles.to_string(),
                percent(cycles, outcome),
            ];
            table.row(cells.map(Cell::from).into());
        }
    }
    match is_empty {
        true => String::new(),
        false => table.text(width),
    }
}
