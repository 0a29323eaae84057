//! `mocl3 hts run` and `mocl3 hts trace`.

use super::recorded;
use super::scheduler::Scheduler;
use super::source::Source;
use super::text;
use crate::json_option::{JsonOption, show};
use crate::record_run::{check_writable, has_recording};
use crate::trace;
use anyhow::{Context, Result, anyhow, bail};
use device_sim::machine::{Description, Machine, Scheduling};
use recording::Process;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use task_isa::Program;
use task_scheduler::{Outcome, Settings, Stall};

/// Examples at the end of the help of `run`.
pub const RUN_EXAMPLES: &str = "\
Examples:
  mocl3 hts run tasks.asm
  mocl3 hts run --units 4 --scheduler speculative --json tasks.asm
  mocl3 hts run --recording run1 tasks.asm && mocl3 stat --recording run1";

/// Examples at the end of the help of `trace`.
pub const TRACE_EXAMPLES: &str = "\
Examples:
  mocl3 hts trace tasks.asm -o trace.json
  mocl3 hts trace --units 16 --scheduler software tasks.asm -o trace.json.gz";

/// What is simulated.
#[derive(clap::Args)]
struct Simulated {
    #[command(flatten)]
    source: Source,
    /// The number of accelerators of each function, instead of those of the machine file.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    units: Option<u16>,
    /// Stop the program after this number of instructions, instead of 10^9.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u64>,
    /// How tasks are scheduled, instead of as in the machine file.
    #[arg(long, value_name = "NAME")]
    scheduler: Option<Scheduler>,
}

/// Arguments of `mocl3 hts run`.
#[derive(clap::Args)]
pub struct RunArguments {
    #[command(flatten)]
    simulated: Simulated,
    #[command(flatten)]
    json: JsonOption,
    /// Write a recording of the tasks into this folder, for `mocl3 stat`, `trace` and `report`.
    #[arg(long, value_name = "FOLDER")]
    recording: Option<PathBuf>,
}

/// Arguments of `mocl3 hts trace`.
#[derive(clap::Args)]
pub struct TraceArguments {
    #[command(flatten)]
    simulated: Simulated,
    /// The file to write, compressed if its name ends in `.gz`; <https://ui.perfetto.dev> and
    /// `chrome://tracing` open it.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// A program, its machine, and the numbers of a run.
struct Prepared {
    program: Program,
    description: Description,
    machine: Machine,
    settings: Settings,
}

impl Simulated {
    fn prepare(&self) -> Result<Prepared> {
        let description = self.source.machine()?;
        let machine = description.machine()?;
        let mut settings = Settings::new(&machine)?;
        let program = task_isa::assemble(&self.source.read()?, &settings.names()?)
            .map_err(|error| self.source.error(&error))?;
        if let Some(units) = self.units {
            settings = settings.with_units(units.into());
        }
        if let Some(scheduler) = self.scheduler {
            settings.scheduling = scheduler.into();
        }
        if let Some(limit) = self.limit {
            settings.instruction_limit = limit;
        }
        Ok(Prepared {
            program,
            description,
            machine,
            settings,
        })
    }

    /// Runs the program, which has the line of a wrong instruction.
    fn outcome(&self, program: &Program, settings: &Settings) -> Result<Outcome> {
        task_scheduler::run(program, settings).map_err(|error| {
            let line = program.lines.get(error.instruction.saturating_sub(1));
            let line = line.copied().unwrap_or_default();
            anyhow!("{}:{line}: {}", self.source.name(), error.fault)
        })
    }
}

impl Prepared {
    /// The recording of a run that has records.
    fn recording(&self, outcome: &Outcome) -> Result<Process> {
        let mut process = recorded::process(outcome, &self.settings, &self.machine)?;
        process.header.machine_identity = self.description.identity().clone();
        Ok(process)
    }
}

/// Simulates the program with all schedulers, or the one that is named.
///
/// # Errors
/// The program is wrong or does not end, or a file cannot be read or written.
pub fn run(arguments: &RunArguments) -> Result<()> {
    let simulated = &arguments.simulated;
    let prepared = simulated.prepare()?;
    let (settings, machine) = (&prepared.settings, &prepared.machine);
    if let Some(folder) = &arguments.recording
        && has_recording(folder)
    {
        bail!(
            "{} holds a recording: name another folder",
            folder.display()
        );
    }
    let chosen = settings.scheduling;
    let mut outcomes = Vec::new();
    for scheduling in Scheduling::ALL {
        if simulated.scheduler.is_some() && scheduling != chosen {
            continue;
        }
        let is_recorded = scheduling == chosen && arguments.recording.is_some();
        let settings = settings.clone().with_scheduling(scheduling);
        let settings = settings.with_records(is_recorded);
        outcomes.push(simulated.outcome(&prepared.program, &settings)?);
    }
    let of_chosen = outcomes
        .iter()
        .find(|outcome| outcome.scheduling == chosen)
        .context("the machine's scheduler was not simulated")?;
    if let Some(folder) = &arguments.recording {
        recorded::write(&prepared.recording(of_chosen)?, folder)?;
    }
    if arguments.json.write(&json(&outcomes, settings, machine))? {
        let sentences = prepared.description.identity().sentences();
        show(&text::tables(
            &outcomes, of_chosen, settings, machine, &sentences,
        ))?;
    }
    Ok(())
}

/// Simulates the program and writes a timeline.
///
/// # Errors
/// The program is wrong or does not end, or a file cannot be read or written.
pub fn trace(arguments: &TraceArguments) -> Result<()> {
    let simulated = &arguments.simulated;
    let prepared = simulated.prepare()?;
    check_writable(&arguments.output)?;
    let settings = prepared.settings.clone().with_records(true);
    let outcome = simulated.outcome(&prepared.program, &settings)?;
    if outcome.records.is_empty() {
        bail!("{} runs no task", simulated.source.name());
    }
    trace::write(&[prepared.recording(&outcome)?], &arguments.output)
}

/// The outcomes as JSON.
fn json(outcomes: &[Outcome], settings: &Settings, machine: &Machine) -> Value {
    let schedulers: Vec<Value> = outcomes
        .iter()
        .map(|outcome| {
            let stalls = Stall::ALL.map(|(stall, name)| {
                let cycles = outcome.stalls.get(stall);
                (name.replace(' ', "_"), cycles.into())
            });
            let units = outcome.units.iter().map(|unit| {
                json!({
                    "function": settings.functions[usize::from(unit.function)].name,
                    "unit": unit.unit,
                    "tasks": unit.tasks,
                    "busy_cycles": unit.busy,
                })
            });
            json!({
                "scheduler": outcome.scheduling.name(),
                "cycles": outcome.cycles,
                "instructions": outcome.instructions,
                "tasks": outcome.tasks,
                "aborted_tasks": outcome.aborted,
                "given_up_tasks": outcome.given_up,
                "branches": outcome.branches,
                "mispredicted_branches": outcome.mispredicted,
                "copied_back": outcome.copied_back,
                "most_tracked_tasks": outcome.most_tracked,
                "stall_cycles": Map::from_iter(stalls),
                "units": units.collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "machine": machine.name,
        "clock": recorded::clock(machine),
        "schedulers": schedulers,
    })
}
