//! What a recording looks like on tracks.

use super::events::{Event, Place};
use super::tracks::{Group, Track, Tracks};
use crate::cycles::{Clock, Origin};
use crate::profile::ACTIVITIES;
use device_sim::timing::outcome::{Activity, LaunchTiming};
use recording::{Command, Process};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// All events of `processes`, names of tracks first.
pub fn events(processes: &[Process]) -> Vec<Event> {
    let mut timeline = Timeline::default();
    for (number, process) in processes.iter().enumerate() {
        timeline.process(number, process);
    }
    let name = |process: usize| processes[process].title();
    let mut events = timeline.tracks.names(name);
    events.append(&mut timeline.events);
    events
}

#[derive(Default)]
struct Timeline {
    tracks: Tracks,
    events: Vec<Event>,
    flows: u64,
}

impl Timeline {
    fn process(&mut self, number: usize, process: &Process) {
        let mut commands: Vec<&Command> = process.commands.iter().collect();
        commands.sort_by_key(|command| (command.start, command.number));
        let mut drawn = HashMap::new();
        for command in &commands {
            let place = self.command(number, command);
            drawn.insert(command.number, (place, command));
        }
        for command in &commands {
            for waited_for in &command.waited_for {
                if let (Some((from, before)), Some((to, _))) =
                    (drawn.get(waited_for), drawn.get(&command.number))
                {
                    // Within the slices, so that they are found.
                    let end = before.end.saturating_sub(1).max(before.start);
                    self.flow("wait list", (*from, end), (*to, command.start));
                }
            }
        }
        let arrays = Arrays {
            process: number,
            clock: Clock::of(process),
        };
        self.launches(&arrays, &commands);
        self.calls(number, process, &drawn);
    }

    /// A command on its queue's track.
    fn command(&mut self, process: usize, command: &Command) -> Place {
        let order = if command.in_order {
            ""
        } else {
            ", out of order"
        };
        let track = Track {
            process,
            group: Group::Queues,
            order: command.queue,
            name: format!(
                "queue {} (cluster {}{order})",
                command.queue, command.device
            ),
        };
        let place = self.tracks.place(track, command.start, command.end);
        let (name, category) = match &command.kernel {
            Some(kernel) => (kernel.as_str(), "kernel"),
            None => (command.kind.trim_start_matches("CL_COMMAND_"), "command"),
        };
        let (begin, end) = (command.start, command.end);
        let args = command_args(command);
        self.events
            .push(Event::slice(name, category, place, begin, end, args));
        place
    }

    fn flow(&mut self, name: &'static str, from: (Place, u64), to: (Place, u64)) {
        self.flows += 1;
        self.events.extend(Event::flow(name, self.flows, from, to));
    }

    /// Arrays and DMA channels, in the order of their times.
    fn launches(&mut self, arrays: &Arrays, commands: &[&Command]) {
        let mut launches: Vec<_> = commands
            .iter()
            .filter_map(|command| {
                let timing = &command.report.as_ref()?.timing;
                Some((arrays.clock.origin(command, timing), *command, timing))
            })
            .collect();
        launches.sort_by_key(|(origin, command, _)| (*origin, command.number));
        for (origin, command, timing) in launches {
            let at = |cycles| arrays.clock.time(origin, cycles);
            let mut places = HashMap::new();
            for array in &timing.arrays {
                let slices = || {
                    timing.slices.iter().filter(|slice| {
                        slice.array == array.array && slice.activity != Activity::Idle
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
                let args = object(json!({ "command": command.number }));
                self.events
                    .push(Event::slice(name, "kernel", place, begin, end, args));
                for slice in slices() {
                    let (_, _, activity) = ACTIVITIES[slice.activity as usize];
                    let (begin, end) = (at(slice.begin), at(slice.end));
                    if begin < end {
                        let cycles = slice.end - slice.begin;
                        let args = object(json!({ "cycles": cycles }));
                        let event = Event::slice(activity, "activity", place, begin, end, args);
                        self.events.push(event.coloured(colour(slice.activity)));
                    }
                }
            }
            self.transfers(arrays, command, timing, origin, &places);
        }
    }

    fn transfers(
        &mut self,
        arrays: &Arrays,
        command: &Command,
        timing: &LaunchTiming,
        origin: Origin,
        places: &HashMap<u64, (Place, u64, u64)>,
    ) {
        let mut transfers: Vec<_> = timing.transfer_slices.iter().collect();
        transfers.sort_by_key(|transfer| transfer.begin);
        for transfer in transfers {
            let (begin, end) = (
                arrays.clock.time(origin, transfer.begin),
                arrays.clock.time(origin, transfer.end),
            );
            let end = end.max(begin + 1);
            let track = arrays.track(command.device, transfer.array, Some(transfer.channel));
            let place = self.tracks.place(track, begin, end);
            let name = match transfer.to_scratchpad {
                true => "DDR → scratchpad",
                false => "scratchpad → DDR",
            };
            let args = object(json!({
                "bytes": transfer.bytes,
                "cycles": transfer.end - transfer.begin,
                "command": command.number,
                "waited for": transfer.waited_for.is_some(),
            }));
            self.events
                .push(Event::slice(name, "DMA", place, begin, end, args));
            let array = places.get(&transfer.array);
            if let (Some(waited_for), Some(&(array, first, last))) = (transfer.waited_for, array) {
                let waited_for = arrays.clock.time(origin, waited_for).clamp(first, last - 1);
                // An arrow cannot go back, whatever rounding did.
                let to = waited_for.max(begin.min(last - 1));
                self.flow("DMA wait", (place, begin), (array, to));
            }
        }
    }

    fn calls(
        &mut self,
        process: usize,
        recorded: &Process,
        drawn: &HashMap<u64, (Place, &&Command)>,
    ) {
        for call in &recorded.calls {
            let track = Track {
                process,
                group: Group::Calls,
                order: call.thread,
                name: format!("thread {}", call.thread),
            };
            let place = self.tracks.place(track, call.begin, call.end);
            let args =
                object(json!({ "host time (ns)": call.host_end.saturating_sub(call.host_begin) }));
            let (begin, end) = (call.begin, call.end);
            self.events
                .push(Event::slice(&call.function, "API", place, begin, end, args));
            let command = call.command.and_then(|number| drawn.get(&number));
            if let Some((to, command)) = command {
                self.flow("enqueue", (place, begin), (*to, command.start));
            }
        }
    }
}

/// From a process's arrays to tracks.
struct Arrays {
    process: usize,
    clock: Clock,
}

impl Arrays {
    fn track(&self, cluster: u32, array: u64, channel: Option<u64>) -> Track {
        let (group, order, name) = match channel {
            None => (Group::Arrays(cluster), array, format!("array {array}")),
            Some(channel) => (
                Group::Channels(cluster),
                array << 16 | channel,
                format!("array {array}, channel {channel}"),
            ),
        };
        Track {
            process: self.process,
            group,
            order,
            name,
        }
    }
}

fn command_args(command: &Command) -> Map<String, Value> {
    let mut args = object(json!({
        "number": command.number,
        "type": command.kind,
        "queued (ns)": command.queued,
        "submit (ns)": command.submit,
        "start (ns)": command.start,
        "end (ns)": command.end,
        "host time (ns)": command.host_end.saturating_sub(command.host_begin),
    }));
    let mut add = |key: &str, value: Value| args.insert(key.into(), value);
    if command.status != 0 {
        add("failed with", command.status.into());
    }
    if command.bytes > 0 {
        add("bytes", command.bytes.into());
    }
    if command.moved > 0 {
        add("bytes moved before", command.moved.into());
    }
    if command.kernel.is_some() {
        add("global size", command.global_size.clone().into());
        add("local size", command.local_size.clone().into());
    }
    if let Some(report) = &command.report {
        add("cycles", report.timing.end.into());
        add("DMA transfers", report.timing.transfers.into());
        add("local memory (bytes)", report.local_memory.into());
    }
    args
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Of Chrome's viewer, which knows these names only.
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
