//! What viewers show of a slice that is clicked on.

use crate::profile::ACTIVITIES;
use device_sim::machine::Capacities;
use device_sim::timing::launch_timing::CyclesByActivity;
use device_sim::units::Cycles;
use recording::Command;
use serde_json::{Map, Value, json};

/// The cycles of a slice of an array; by activity if there are several.
pub fn slice_args(cycles: &CyclesByActivity) -> Map<String, Value> {
    let activities = by_activity(cycles);
    let cycles = match activities.len() {
        1 => cycles.total().0.into(),
        _ => activities.into(),
    };
    Map::from_iter([("cycles".to_owned(), cycles)])
}

/// The cycles of each activity that has some.
pub fn by_activity(cycles: &CyclesByActivity) -> Map<String, Value> {
    let named = ACTIVITIES.iter().zip(cycles.0);
    let spent = named.filter(|(_, cycles)| *cycles > Cycles::ZERO);
    spent
        .map(|((_, _, name), cycles)| ((*name).to_owned(), cycles.0.into()))
        .collect()
}

/// What is known of a command, on a machine with these capacities.
pub fn command_args(command: &Command, capacities: &Capacities) -> Map<String, Value> {
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
    if command.gave_up {
        add("given up", true.into());
    }
    if command.bytes > 0 {
        add("bytes", command.bytes.into());
    }
    if command.moved > 0 {
        add("bytes moved before", command.moved.into());
    }
    if command.kernel.is_some() {
        add("global size", command.global_size.to_vec().into());
        add("local size", command.local_size.to_vec().into());
    }
    if let Some(report) = &command.report {
        add("cycles", report.timing.end.0.into());
        add("DMA transfers", report.timing.transfers.into());
        add("local memory (bytes)", report.local_memory.0.into());
        let exceeded = capacities.exceeded(&report.memory());
        if !exceeded.is_empty() {
            let sentences = exceeded.iter().map(ToString::to_string);
            add("warnings", sentences.collect::<Vec<_>>().into());
        }
    }
    args
}

/// The keys of a JSON object.
pub fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
