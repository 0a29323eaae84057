//! Runs as recordings: a task is a command, its accelerator an array of the only device.

use anyhow::{Context, Result};
use device_sim::machine::{Machine, Scheduling};
use device_sim::timing::launch_report::LaunchReport;
use device_sim::timing::launch_timing::{Activity, CyclesByActivity};
use device_sim::units::{ClockRate, Cycles};
use recording::{Command, Device, End, FORMAT, Header, Line, Process, Writer};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use task_scheduler::{Outcome, Settings, TaskRecord};

/// The type of the commands.
const TASK: &str = "CL_COMMAND_TASK";

/// The status of a task that was removed: `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST`, as of a
/// command whose wait list failed.
const REMOVED: i32 = -14;

/// The scheduler's cycles per second.
pub fn clock(machine: &Machine) -> u64 {
    let scheduler = machine.task_scheduler.as_ref();
    scheduler.map_or(1, |scheduler| scheduler.clock.value)
}

/// The recording of a run that has records.
///
/// # Errors
/// There are more accelerators than a recording can have.
pub fn process(outcome: &Outcome, settings: &Settings, machine: &Machine) -> Result<Process> {
    let mut first_arrays = Vec::new();
    let mut arrays = 0;
    for function in &settings.functions {
        first_arrays.push(arrays);
        arrays += function.units;
    }
    let converter = Converter {
        clock: ClockRate::new(clock(machine)),
        arrays: u32::try_from(arrays).context("there are too many accelerators")?,
        in_order: outcome.scheduling == Scheduling::Naive,
        names: (settings.functions.iter())
            .map(|function| Arc::from(function.name.as_str()))
            .collect(),
        first_arrays,
        numbers: numbers(&outcome.records),
    };
    let mut commands: Vec<Command> = (outcome.records.iter())
        .map(|record| converter.command(record))
        .collect();
    commands.sort_by_key(|command| command.number);
    Ok(Process {
        command_count: commands.len() as u64,
        header: Header {
            format: FORMAT,
            pid: std::process::id(),
            arguments: std::env::args().collect(),
            machine: machine.name.clone(),
            clock: clock(machine),
            lanes: 1,
            devices: vec![Device {
                name: format!("{}, {} scheduling", machine.name, outcome.scheduling.name()),
                arrays: converter.arrays,
                clock: None,
            }],
            host_threads: 1,
            ..Header::default()
        },
        commands,
        end: Some(End {
            host_time: 0,
            time: converter.time(outcome.cycles),
        }),
        ..Process::default()
    })
}

/// Numbers of commands, which are consecutive; branches have numbers of tasks too.
fn numbers(records: &[TaskRecord]) -> HashMap<u64, u64> {
    let mut all: Vec<u64> = records.iter().map(|record| record.number).collect();
    all.sort_unstable();
    all.into_iter().zip(1..).collect()
}

/// Converts tasks to commands.
struct Converter {
    clock: ClockRate,
    arrays: u32,
    in_order: bool,
    names: Vec<Arc<str>>,
    /// The array of the first accelerator of each function.
    first_arrays: Vec<usize>,
    numbers: HashMap<u64, u64>,
}

impl Converter {
    fn time(&self, cycles: u64) -> u64 {
        self.clock.complete_nanoseconds(Cycles(cycles)).0
    }

    fn command(&self, record: &TaskRecord) -> Command {
        let function = usize::from(record.function);
        let cycles = Cycles(record.computed - record.begin);
        let unit = (self.first_arrays[function] + record.unit) as u64;
        let spent = CyclesByActivity::single(Activity::Compute, cycles);
        let report = match record.gave_up {
            true => LaunchReport::of_task_on_host(cycles),
            false => LaunchReport::of_task(&[unit], spent),
        };
        let waited_for = record.waited_for.iter();
        Command {
            number: self.numbers[&record.number],
            queue: 1,
            in_order: self.in_order,
            arrays: self.arrays,
            kind: Cow::Borrowed(TASK),
            gave_up: record.gave_up,
            status: if record.is_aborted { REMOVED } else { 0 },
            kernel: Some(Arc::clone(&self.names[function])),
            global_size: [1].into_iter().collect(),
            local_size: [1].into_iter().collect(),
            queued: self.time(record.decoded),
            submit: self.time(record.issued),
            start: self.time(record.begin),
            end: self.time(record.end),
            waited_for: waited_for
                .filter_map(|number| self.numbers.get(number).copied())
                .collect(),
            report: Some(Arc::new(report)),
            ..Command::default()
        }
    }
}

/// Writes a recording into a folder, as a process that uses the platform does.
///
/// # Errors
/// The file cannot be written.
pub fn write(process: &Process, folder: &Path) -> Result<()> {
    let failed = || format!("cannot write into {}", folder.display());
    let writer = Writer::create(folder, process.header.clone()).with_context(failed)?;
    let commands = process.commands.iter().cloned().map(Box::new);
    let lines = commands.map(Line::Command);
    for line in lines.chain(process.end.map(Line::End)) {
        writer.write(&line).with_context(failed)?;
    }
    writer.flush().with_context(failed)
}
