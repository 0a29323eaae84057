//! Converts a recording to events on tracks.

use super::events::{Event, TrackRow};
use super::sink::{Count, Sink, Writing};
use super::slice_args::{by_activity, command_args, object, slice_args};
use super::tracks::{Kind, Track, Tracks, shown};
use crate::cycles::{Clock, Origin};
use crate::labels;
use crate::profile::{ACTIVITIES, IMPLICIT_MIGRATION};
use crate::rank_times::{Ranks, is_mpi};
use device_sim::timing::launch_timing::{Activity, ArrayTiming, LaunchTiming};
use device_sim::units::Bytes;
use recording::{Call, Command, Process};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// The trace of a recording.
pub struct Trace<'a> {
    processes: &'a [Process],
    /// Events that name the tracks; they come first.
    names: Vec<Event>,
    /// The numbers of process and track of each place.
    places: Vec<(u64, u64)>,
    count: Count,
}

impl<'a> Trace<'a> {
    /// Draws `processes`, to know tracks and size.
    pub fn new(processes: &'a [Process]) -> Self {
        let mut timeline = TraceTimeline::default();
        timeline.draw(processes);
        let (names, places) = timeline.tracks.numbered(&shown(processes.iter()));
        let count = match timeline.sink {
            Sink::Count(count) => count,
            Sink::Write(_) => Count::default(),
        };
        Self {
            processes,
            names,
            places,
            count,
        }
    }

    /// The number of events.
    pub fn events(&self) -> u64 {
        self.names.len() as u64 + self.count.events()
    }

    /// The size of the file without compression, estimated, bytes.
    pub fn size(&self) -> u64 {
        self.count.bytes()
    }

    /// Writes the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut writing = Writing::begin(to, &self.places, self.events());
        for name in &self.names {
            writing.add(name.clone());
        }
        let mut timeline = TraceTimeline {
            sink: Sink::Write(writing),
            tracks: Tracks::default(),
            flows: 0,
        };
        timeline.draw(self.processes);
        match timeline.sink {
            Sink::Write(writing) => writing.end(&metadata(self.processes)),
            Sink::Count(_) => Ok(()),
        }
    }
}

/// The machine, its changes, and the programs.
fn metadata(processes: &[Process]) -> Value {
    let Some(first) = processes.first() else {
        return json!({});
    };
    let programs: Vec<&Vec<String>> = processes
        .iter()
        .map(|process| &process.header.arguments)
        .collect();
    json!({
        "machine": first.header.machine,
        "machine_identity": first.header.machine_identity,
        "programs": programs,
    })
}

/// The events are the same each time that a recording is drawn.
#[derive(Default)]
struct TraceTimeline<'s> {
    tracks: Tracks,
    sink: Sink<'s>,
    flows: u64,
}

impl TraceTimeline<'_> {
    fn draw(&mut self, processes: &[Process]) {
        for (number, process) in processes.iter().enumerate() {
            self.process(number, process);
        }
    }

    fn process(&mut self, number: usize, process: &Process) {
        let mut commands: Vec<&Command> = process.commands.iter().collect();
        commands.sort_by_key(|command| (command.start, command.number));
        let ranks = Ranks::new(process);
        let drawn = self.commands(number, (process, &ranks), &commands);
        for command in &commands {
            for waited_for in &command.waited_for {
                if let (Some((from, before)), Some((to, _))) =
                    (drawn.get(waited_for), drawn.get(&command.number))
                {
                    // Arrows begin and end within slices, where viewers attach them.
                    let end = before.end.saturating_sub(1).max(before.start);
                    self.flow("wait list", (*from, end), (*to, command.start));
                }
            }
        }
        let arrays = Arrays {
            process: number,
            clock: Clock::new(process),
        };
        self.migrations(&arrays, &commands);
        self.launches(&arrays, &commands);
        self.calls(number, (process, &ranks), &drawn);
    }

    /// Draws commands on their queues' tracks; returns the tracks. Commands without duration have
    /// separate tracks: viewers would show them as parts of slices that begin at the same time.
    fn commands<'a>(
        &mut self,
        number: usize,
        (process, ranks): (&Process, &Ranks),
        commands: &[&'a Command],
    ) -> HashMap<u64, (TrackRow, &'a Command)> {
        let mut drawn = HashMap::new();
        let mut instants: BTreeMap<_, Vec<&Command>> = BTreeMap::new();
        for &command in commands {
            let instant = command.start >= command.end;
            let track = Track {
                process: number,
                kind: Kind::Queue {
                    thread: ranks.thread_of_queue.get(&command.queue).copied(),
                    queue: command.queue,
                    instant,
                    device: labels::device(process, command),
                },
            };
            let place = self.tracks.place(track, command.start, command.end);
            drawn.insert(command.number, (place, command));
            if instant {
                let at_once = instants.entry((command.queue, command.start));
                at_once.or_default().push(command);
                continue;
            }
            self.sink.add(|| {
                let (name, category) = (labels::name(command), command_category(command));
                let (begin, end) = (command.start, command.end);
                Event::slice(
                    &name,
                    category,
                    place,
                    begin,
                    end,
                    command_args(command, &process.header.capacities),
                )
            });
        }
        for ((_, time), commands) in instants {
            let (place, _) = drawn[&commands[0].number];
            let names = commands.iter().map(|command| labels::name(command));
            let (name, mut args) = together(names, "commands");
            match commands[..] {
                [command] => args = command_args(command, &process.header.capacities),
                _ => {
                    let numbers: Vec<u64> = commands.iter().map(|command| command.number).collect();
                    args.insert("numbers".into(), numbers.into());
                }
            }
            let category = command_category(commands[0]);
            self.sink
                .add(|| Event::slice(&name, category, place, time, time, args));
        }
        drawn
    }

    fn flow(&mut self, name: &'static str, from: (TrackRow, u64), to: (TrackRow, u64)) {
        // Instants that are joined have no other instant between them.
        if from == to {
            return;
        }
        self.flows += 1;
        for half in Event::flow(name, self.flows, from, to) {
            self.sink.add(|| half);
        }
    }

    /// Draws the migrations before commands, in the order of their times.
    fn migrations(&mut self, arrays: &Arrays<'_>, commands: &[&Command]) {
        let mut migrations: Vec<_> = commands
            .iter()
            .filter_map(|command| Some((command.migration?, command.device, command.number)))
            .collect();
        migrations.sort_by_key(|(migration, _, command)| (migration.begin, *command));
        for (migration, device, command) in migrations {
            let cluster = arrays.clock.label(device);
            let track = Track {
                process: arrays.process,
                kind: Kind::Migrations { cluster },
            };
            let (begin, end) = (migration.begin, migration.end);
            let place = self.tracks.place(track, begin, end);
            self.sink.add(|| {
                let args = Map::from_iter([
                    ("bytes".to_owned(), migration.bytes.into()),
                    ("before command".to_owned(), command.into()),
                ]);
                Event::slice(IMPLICIT_MIGRATION, "transfer", place, begin, end, args)
            });
        }
    }

    /// Draws arrays and DMA channels, in the order of their times.
    fn launches(&mut self, arrays: &Arrays<'_>, commands: &[&Command]) {
        let mut launches: Vec<_> = commands
            .iter()
            .filter_map(|command| {
                let timing = &command.report.as_ref()?.timing;
                Some((arrays.clock.origin(command, timing), *command, timing))
            })
            .collect();
        launches.sort_by_key(|(origin, command, _)| (*origin, command.number));
        for (origin, command, timing) in launches {
            let at = |cycles| origin.time(cycles);
            let mut places = HashMap::new();
            for array in &timing.arrays {
                let slices = || {
                    timing.slices.iter().filter(|slice| {
                        slice.array == array.array && slice.activity() != Activity::Idle
                    })
                };
                let begin = slices().map(|slice| slice.begin).min();
                let end = slices().map(|slice| slice.end).max();
                let (begin, end) = (
                    at(begin.unwrap_or(array.begin)),
                    at(end.unwrap_or(array.end)),
                );
                if begin >= end {
                    continue;
                }
                let place =
                    self.tracks
                        .place(arrays.track(command.device, array.array, None), begin, end);
                places.insert(array.array, (place, begin, end));
                let name = command.kernel.as_deref().unwrap_or("?");
                self.sink.add(|| {
                    let args = array_args(command, array);
                    Event::slice(name, "kernel", place, begin, end, args)
                });
                for slice in slices() {
                    let (_, _, activity) = ACTIVITIES[slice.activity() as usize];
                    let (begin, end) = (at(slice.begin), at(slice.end));
                    if begin < end {
                        self.sink.add(|| {
                            let args = slice_args(&slice.cycles);
                            let event = Event::slice(activity, "activity", place, begin, end, args);
                            event.coloured(colour(slice.activity()))
                        });
                    }
                }
            }
            self.transfers(arrays, command, timing, origin, &places);
        }
    }

    fn transfers(
        &mut self,
        arrays: &Arrays<'_>,
        command: &Command,
        timing: &LaunchTiming,
        origin: Origin,
        places: &HashMap<u64, (TrackRow, u64, u64)>,
    ) {
        let mut transfers: Vec<_> = timing.transfer_slices.iter().collect();
        transfers.sort_by_key(|transfer| transfer.begin);
        let mut last = BTreeMap::new();
        for transfer in transfers {
            let (begin, end) = (origin.time(transfer.begin), origin.time(transfer.end));
            let end = end.max(begin + 1);
            last.insert((transfer.array, transfer.channel), end);
            let track = arrays.track(command.device, transfer.array, Some(transfer.channel));
            let place = self.tracks.place(track, begin, end);
            let name = match transfer.to_scratchpad {
                true => "DDR → scratchpad",
                false => "scratchpad → DDR",
            };
            self.sink.add(|| {
                let rate = transfer.bytes.saturating_mul(1_000_000_000).0 / (end - begin);
                let args = object(json!({
                    "bytes": transfer.bytes,
                    "bytes per second": rate,
                    "cycles": transfer.end - transfer.begin,
                    "command": command.number,
                    "waited for": transfer.waited_for.is_some(),
                }));
                Event::slice(name, "DMA", place, begin, end, args)
            });
            let array = places.get(&transfer.array);
            if let (Some(waited_for), Some(&(array, first, last))) = (transfer.waited_for, array) {
                let waited_for = origin.time(waited_for).clamp(first, last - 1);
                // Rounding must not make an arrow point backwards in time.
                let to = waited_for.max(begin.min(last - 1));
                self.flow("DMA wait", (place, begin), (array, to));
            }
        }
        // A launch with very many transfers records only the first ones.
        let bytes: Bytes = timing.transfer_slices.iter().map(|slice| slice.bytes).sum();
        if bytes >= timing.transferred {
            return;
        }
        for ((array, channel), begin) in last {
            let timing = timing.arrays.iter().find(|timing| timing.array == array);
            let end = timing.map_or(begin, |timing| origin.time(timing.end));
            if begin < end {
                let track = arrays.track(command.device, array, Some(channel));
                let place = self.tracks.place(track, begin, end);
                self.sink.add(|| {
                    let args = object(json!({ "command": command.number }));
                    let event = Event::slice("not recorded", "DMA", place, begin, end, args);
                    event.coloured("grey")
                });
            }
        }
    }

    /// Draws API calls on their threads' tracks. Calls without duration have separate tracks, like
    /// commands.
    fn calls(
        &mut self,
        process: usize,
        (recorded, ranks): (&Process, &Ranks),
        drawn: &HashMap<u64, (TrackRow, &Command)>,
    ) {
        let mut instants: BTreeMap<_, (Option<TrackRow>, Vec<&Call>)> = BTreeMap::new();
        let mut ends: HashMap<u64, u64> = HashMap::new();
        for call in &recorded.calls {
            let (thread, mut begin, mut end) = (call.thread, call.begin, call.end);
            let before = ends.entry(thread).or_default();
            // SimGrid's clock may be a nanosecond behind the platform's.
            if is_mpi(call) && *before == begin + 1 {
                begin = *before;
                end = end.max(begin);
            }
            *before = end.max(*before);
            let instant = begin >= end;
            let track = Track {
                process,
                kind: Kind::Calls {
                    thread,
                    instant,
                    rank: ranks.name(thread).map(str::to_owned),
                },
            };
            let place = self.tracks.place(track, begin, end);
            if let Some((to, command)) = call.command.and_then(|number| drawn.get(&number)) {
                // By then the command is in its queue; a blocking call returns after its end.
                let queued = command
                    .queued
                    .clamp(begin, end.saturating_sub(1).max(begin));
                self.flow("enqueue", (place, queued), (*to, command.start));
            }
            if instant {
                let (first, calls) = instants.entry((thread, begin)).or_default();
                first.get_or_insert(place);
                calls.push(call);
                continue;
            }
            self.sink.add(|| {
                if is_mpi(call) {
                    return Event::slice(&call.function, "MPI", place, begin, end, Map::new());
                }
                let mut args = object(json!({ "host time (ns)": host_time(call) }));
                if let Some(command) = call.command {
                    args.insert("command".into(), command.into());
                }
                Event::slice(&call.function, "API", place, begin, end, args)
            });
        }
        for ((_, time), (place, calls)) in instants {
            let Some(place) = place else { continue };
            let names = calls.iter().map(|call| call.function.as_ref().into());
            let (name, mut args) = together(names, "calls");
            let sum: u64 = calls.iter().map(|call| host_time(call)).sum();
            args.insert("host time (ns)".into(), sum.into());
            self.sink
                .add(|| Event::slice(&name, "API", place, time, time, args));
        }
    }
}

/// The label of simultaneous events: the name of a single one, or the number of each name.
fn together<'a>(
    names: impl Iterator<Item = Cow<'a, str>>,
    what: &'static str,
) -> (String, Map<String, Value>) {
    let mut times: BTreeMap<Cow<'_, str>, u64> = BTreeMap::new();
    names.for_each(|name| *times.entry(name).or_default() += 1);
    let sum: u64 = times.values().sum();
    let first = times.keys().next().filter(|_| times.len() == 1);
    let name = labels::together(sum, first.map(|name| &**name), what);
    let args = match sum {
        1 => Map::new(),
        _ => object(json!({ what: times })),
    };
    (name, args)
}

fn host_time(call: &Call) -> u64 {
    call.host_end.saturating_sub(call.host_begin)
}

/// The tracks of a process's arrays.
struct Arrays<'a> {
    process: usize,
    clock: Clock<'a>,
}

impl Arrays<'_> {
    fn track(&self, device: u32, array: u64, channel: Option<u64>) -> Track {
        let cluster = self.clock.label(device);
        let kind = match channel {
            None => Kind::Array { cluster, array },
            Some(channel) => Kind::Channel {
                cluster,
                array,
                channel,
            },
        };
        Track {
            process: self.process,
            kind,
        }
    }
}

fn command_category(command: &Command) -> &'static str {
    match &command.kernel {
        Some(_) => "kernel",
        None => "command",
    }
}

/// Cycles of each activity of an array in a launch.
fn array_args(command: &Command, array: &ArrayTiming) -> Map<String, Value> {
    let mut args = object(json!({ "command": command.number }));
    args.insert("cycles".into(), by_activity(&array.cycles).into());
    args
}

/// Colour names of Chrome's viewer, which knows no others.
fn colour(activity: Activity) -> &'static str {
    match activity {
        Activity::Compute => "thread_state_running",
        Activity::Scratchpad => "rail_response",
        Activity::Memory => "terrible",
        Activity::DmaWait => "bad",
        Activity::LockWait => "yellow",
        Activity::Barrier => "olive",
        Activity::Launch => "grey",
        Activity::Idle => "white",
    }
}
