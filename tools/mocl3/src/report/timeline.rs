//! The data of the page's time axis: commands of queues, and activities of arrays.

use super::piece::{Piece, joined};
use crate::cycles::Clock;
use crate::labels::{self, DeviceLabel};
use crate::profile::IMPLICIT_MIGRATION;
use crate::rank_times::{RankTimes, Ranks, is_mpi};
use device_sim::timing::launch_timing::{Activity, ActivitySlice, LaunchTiming};
use device_sim::units::Cycles;
use recording::{Command, Process};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Maximum number of activity intervals of arrays; beyond it they are joined.
const PIECES: usize = 30_000;

/// Number of steps of the time axis into which intervals are joined; more than a page has pixels.
const STEPS: u64 = 1_500;

/// Maximum number of commands; beyond it they are joined.
const COMMANDS: usize = 10_000;

/// The timeline of a process. Times are simulated nanoseconds.
#[derive(Debug, Default, Serialize)]
pub struct Timeline {
    /// The process's name.
    pub name: String,
    /// The first time of the axis.
    pub begin: u64,
    /// The last time of the axis.
    pub end: u64,
    /// Queues in order; those of a rank follow its MPI calls.
    pub queues: Vec<Queue>,
    /// The ranks of an MPI program.
    pub ranks: Vec<RankTimes>,
    /// The arrays that ran something, in the order of their numbers.
    pub arrays: Vec<Array>,
    /// Length of a step, ns, if intervals of arrays were joined.
    pub step: Option<u64>,
    /// Length of a step, ns, if commands were joined: shorter ones that begin in the same step.
    pub command_step: Option<u64>,
}

/// A queue, or the MPI calls of a rank.
#[derive(Debug, Serialize)]
pub struct Queue {
    /// The queue's label.
    pub name: String,
    /// Its commands by start.
    pub commands: Vec<Drawn>,
}

/// A command.
#[derive(Debug, Serialize)]
pub struct Drawn {
    /// Kernel or type; how many there are if they were joined.
    pub name: String,
    /// It launches a kernel, or one of them does.
    pub kernel: bool,
    /// It is a call of MPI.
    pub mpi: bool,
    /// Bytes of a transfer.
    pub bytes: u64,
    /// Begin of the command.
    pub begin: u64,
    /// End of the command.
    pub end: u64,
    /// Commands of a queue that overlap are drawn in several rows.
    pub row: usize,
}

/// An array.
#[derive(Debug, Serialize)]
pub struct Array {
    /// The array's label.
    pub name: String,
    /// Intervals by begin, without idle time.
    pub pieces: Vec<Piece>,
}

impl Timeline {
    /// One timeline for each process that ran commands, since each has its own clock; ordered by
    /// decreasing duration.
    pub fn all(processes: &[Process]) -> Vec<Self> {
        let with_commands = || {
            let processes = processes.iter();
            processes.filter(|process| !process.commands.is_empty())
        };
        let share = with_commands().count().max(1);
        let mut timelines: Vec<_> = with_commands()
            .map(|process| Self::new(process, share))
            .collect();
        timelines.sort_by_key(|timeline| std::cmp::Reverse(timeline.end));
        timelines
    }

    /// Of a process, one of several on the page.
    fn new(process: &Process, share: usize) -> Self {
        let mut timeline = Self {
            name: process.title(),
            begin: u64::MAX,
            ..Self::default()
        };
        for command in &process.commands {
            timeline.begin = timeline.begin.min(command.submit);
            timeline.end = timeline.end.max(command.end);
        }
        let ranks = Ranks::new(process);
        for call in process.calls.iter().filter(|call| is_mpi(call)) {
            timeline.end = timeline.end.max(call.end);
        }
        timeline.add_queues(process, &ranks, (COMMANDS / share).max(500));
        timeline.ranks = ranks.times.into_values().collect();
        timeline.add_arrays(process);
        let pieces = || timeline.arrays.iter().flat_map(|array| &array.pieces);
        let first = pieces().map(|piece| piece.begin).min();
        let last = pieces().map(|piece| piece.end).max();
        timeline.begin = timeline.begin.min(first.unwrap_or(timeline.begin));
        timeline.end = timeline.end.max(last.unwrap_or(0)).max(timeline.begin + 1);
        if pieces().count() > PIECES / share {
            let steps = (STEPS / share as u64).max(200);
            let step = (timeline.end - timeline.begin).div_ceil(steps).max(1);
            for array in &mut timeline.arrays {
                array.pieces = joined(&array.pieces, timeline.begin, step);
            }
            timeline.step = Some(step);
        }
        timeline
    }

    fn add_queues(&mut self, process: &Process, ranks: &Ranks, most: usize) {
        // The queues of a rank, by its thread, are together.
        let mut queues: BTreeMap<(u64, u64), Vec<&Command>> = BTreeMap::new();
        for command in &process.commands {
            let thread = ranks.thread_of_queue.get(&command.queue).copied();
            let place = (thread.unwrap_or(u64::MAX), command.queue);
            queues.entry(place).or_default().push(command);
        }
        if process.commands.len() > most {
            let steps = (most / queues.len().max(1)).max(100) as u64;
            self.command_step = Some((self.end - self.begin).div_ceil(steps).max(1));
        }
        let mut shown = None;
        for ((thread, number), mut commands) in queues {
            if shown.replace(thread) != Some(thread) {
                self.add_mpi_calls(process, ranks, thread);
            }
            let device = commands
                .first()
                .map(|command| labels::device(process, command));
            commands.sort_by_key(|command| (command.start, command.number));
            let drawn: Vec<Drawn> = commands
                .iter()
                .map(|command| Drawn {
                    name: labels::name(command).into_owned(),
                    kernel: command.kernel.is_some(),
                    mpi: false,
                    bytes: command.bytes,
                    begin: command.start,
                    end: command.end,
                    row: 0,
                })
                .collect();
            let name = format!("queue {number}, {}", device.unwrap_or_default());
            self.add_queue(name, drawn);
        }
        self.add_migrations(process);
    }

    /// Adds the MPI calls of a rank that took time.
    fn add_mpi_calls(&mut self, process: &Process, ranks: &Ranks, thread: u64) {
        let Some(name) = ranks.name(thread) else {
            return;
        };
        let calls = process.calls.iter();
        let calls = calls.filter(|call| is_mpi(call) && call.thread == thread);
        let drawn = calls
            .filter(|call| call.begin < call.end)
            .map(|call| Drawn {
                name: call.function.to_string(),
                kernel: false,
                mpi: true,
                bytes: 0,
                begin: call.begin,
                end: call.end,
                row: 0,
            });
        self.add_queue(format!("{name}, MPI"), drawn.collect());
    }

    /// Adds the migrations before commands, like the commands of a queue for each cluster.
    fn add_migrations(&mut self, process: &Process) {
        let mut clusters: BTreeMap<u32, Vec<Drawn>> = BTreeMap::new();
        for command in &process.commands {
            let drawn = command.migration.map(|migration| Drawn {
                name: IMPLICIT_MIGRATION.into(),
                kernel: false,
                mpi: false,
                bytes: migration.bytes,
                begin: migration.begin,
                end: migration.end,
                row: 0,
            });
            clusters.entry(command.device).or_default().extend(drawn);
        }
        for (cluster, mut migrations) in clusters {
            if !migrations.is_empty() {
                migrations.sort_by_key(|migration| migration.begin);
                self.add_queue(
                    format!("migrations, {}", DeviceLabel::new(&process.header, cluster)),
                    migrations,
                );
            }
        }
    }

    /// Adds commands, ordered by begin, in as many rows as they need.
    fn add_queue(&mut self, name: String, mut commands: Vec<Drawn>) {
        if let Some(step) = self.command_step {
            commands = joined_commands(commands, self.begin, step);
        }
        let mut rows: Vec<u64> = Vec::new();
        for command in &mut commands {
            command.row = free_row(&mut rows, command);
        }
        self.queues.push(Queue { name, commands });
    }

    fn add_arrays(&mut self, process: &Process) {
        let clock = Clock::new(process);
        let mut arrays: BTreeMap<(u32, u64), Vec<Piece>> = BTreeMap::new();
        for command in &process.commands {
            let Some(report) = &command.report else {
                continue;
            };
            let origin = clock.origin(command, &report.timing);
            for slice in slices(&report.timing).iter() {
                let begin = origin.time(slice.begin);
                let end = origin.time(slice.end);
                let piece = Piece::new(begin, end, &slice.cycles);
                if !piece.is_idle() {
                    let pieces = arrays.entry((command.device, slice.array)).or_default();
                    pieces.push(piece);
                }
            }
        }
        let several = arrays.keys().any(|(device, _)| *device > 0);
        for ((device, array), mut pieces) in arrays {
            pieces.sort_by_key(|piece| (piece.begin, piece.end));
            let name = match several {
                // The page cuts the end of a label that does not fit.
                true => format!(
                    "array {array}, {}",
                    DeviceLabel::new(&process.header, device)
                ),
                false => format!("array {array}"),
            };
            self.arrays.push(Array { name, pieces });
        }
    }
}

/// Commands of a queue, by begin. Those that are shorter than a step and begin in the same one are
/// joined.
fn joined_commands(commands: Vec<Drawn>, first: u64, step: u64) -> Vec<Drawn> {
    let mut joined: Vec<Drawn> = Vec::new();
    let mut open: Option<(u64, Group)> = None;
    for command in commands {
        if command.end.saturating_sub(command.begin) >= step {
            joined.extend(open.take().map(|(_, group)| group.drawn()));
            joined.push(command);
            continue;
        }
        let number = command.begin.saturating_sub(first) / step;
        match &mut open {
            Some((of, group)) if *of == number => group.add(&command),
            _ => {
                let group = Group {
                    one_name: true,
                    count: 1,
                    drawn: command,
                };
                let before = open.replace((number, group));
                joined.extend(before.map(|(_, group)| group.drawn()));
            }
        }
    }
    joined.extend(open.map(|(_, group)| group.drawn()));
    joined
}

/// Commands that are drawn as one.
struct Group {
    one_name: bool,
    count: u64,
    drawn: Drawn,
}

impl Group {
    fn add(&mut self, command: &Drawn) {
        self.count += 1;
        self.one_name &= command.name == self.drawn.name;
        self.drawn.kernel |= command.kernel;
        self.drawn.bytes += command.bytes;
        self.drawn.end = self.drawn.end.max(command.end);
    }

    fn drawn(self) -> Drawn {
        let name = self.one_name.then_some(&*self.drawn.name);
        let what = if self.drawn.mpi {
            "MPI calls"
        } else {
            "commands"
        };
        let name = labels::together(self.count, name, what);
        Drawn { name, ..self.drawn }
    }
}

fn free_row(rows: &mut Vec<u64>, command: &Drawn) -> usize {
    match rows.iter().position(|taken| *taken <= command.begin) {
        Some(row) => {
            rows[row] = command.end;
            row
        }
        None => {
            rows.push(command.end);
            rows.len() - 1
        }
    }
}

/// The slices of a launch's arrays. Without a timeline in the recording, the time that an array ran is
/// one slice.
fn slices(timing: &LaunchTiming) -> Cow<'_, [ActivitySlice]> {
    if !timing.slices.is_empty() {
        return timing.slices.as_slice().into();
    }
    let arrays = timing.arrays.iter().map(|array| {
        let mut cycles = array.cycles;
        cycles[Activity::Launch] = Cycles::ZERO;
        cycles[Activity::Idle] = Cycles::ZERO;
        ActivitySlice {
            array: array.array,
            begin: array.begin,
            end: array.end,
            cycles,
        }
    });
    arrays.collect()
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, Timeline};
    use crate::synthetic;

    #[test]
    fn of_many_commands_those_of_a_step_are_one() {
        let mut process = synthetic::example();
        let transfer = process.commands[0].clone();
        let first = process.commands.len() as u64 + 1;
        let many = 3 * COMMANDS as u64;
        let begin = process.commands.iter().map(|command| command.end).max();
        for number in 0..many {
            let start = begin.expect("commands") + number * 10;
            process.commands.push(recording::Command {
                number: first + number,
                submit: start,
                start,
                end: start + 8,
                bytes: 1,
                ..transfer.clone()
            });
        }
        let timeline = &Timeline::all(&[process])[0];
        let step = timeline.command_step.expect("joined");
        let commands = &timeline.queues[0].commands;
        assert!(commands.len() < COMMANDS);
        // Longer commands are unchanged.
        let kernels = timeline.queues.iter().flat_map(|queue| &queue.commands);
        assert_eq!(kernels.filter(|command| command.kernel).count(), 4);
        // Joined commands cover the time from the first to the last.
        let short = || {
            let transfers = commands.iter().filter(|command| !command.kernel);
            transfers.filter(|command| command.bytes < 1 << 20)
        };
        let sum: u64 = short().map(|command| command.bytes).sum();
        assert_eq!(sum, many);
        for (one, other) in short().zip(short().skip(1)) {
            assert_eq!(one.end + 2, other.begin);
            assert!(other.end - other.begin < step + 8);
            assert_eq!(other.row, 0);
        }
        let expected = format!("{} × WRITE_BUFFER", commands[5].bytes);
        assert_eq!(commands[5].name, expected);
    }
}
