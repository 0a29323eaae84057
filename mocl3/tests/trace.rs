//! `mocl3 trace`: what Perfetto is given.

mod synthetic;

use assert_cmd::Command;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

fn trace(process: &recording::Process) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(process, folder.path());
    let file = folder.path().join("trace.json");
    Command::new(env!("CARGO_BIN_EXE_mocl3"))
        .args(["trace", "-o"])
        .arg(&file)
        .arg("--recording")
        .arg(folder.path())
        .assert()
        .success();
    let trace: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    trace["traceEvents"].as_array().unwrap().clone()
}

type Track = (u64, u64);

/// Begin and end in nanoseconds.
type Slice = (u64, u64);

fn track(event: &Value) -> Track {
    (
        event["pid"].as_u64().unwrap(),
        event["tid"].as_u64().unwrap(),
    )
}

fn nanoseconds(time: &Value) -> u64 {
    let nanoseconds = time.as_f64().unwrap() * 1000.0;
    assert!((nanoseconds - nanoseconds.round()).abs() < 1e-3);
    nanoseconds.round() as u64
}

fn of_phase<'a>(events: &'a [Value], phase: &'a str) -> impl Iterator<Item = &'a Value> {
    events.iter().filter(move |event| event["ph"] == phase)
}

fn slices(events: &[Value]) -> BTreeMap<Track, Vec<Slice>> {
    let mut slices: BTreeMap<Track, Vec<Slice>> = BTreeMap::new();
    for event in of_phase(events, "X") {
        let begin = nanoseconds(&event["ts"]);
        let end = begin + nanoseconds(&event["dur"]);
        slices.entry(track(event)).or_default().push((begin, end));
    }
    slices
}

/// Slices are one after the other, or one in the other.
fn check_nesting(slices: &[Slice]) {
    let mut slices = slices.to_vec();
    slices.sort_by_key(|&(begin, end)| (begin, std::cmp::Reverse(end)));
    let mut open: Vec<Slice> = Vec::new();
    for (begin, end) in slices {
        open.retain(|&(_, before)| before > begin);
        if let Some(&(_, outer)) = open.last() {
            assert!(
                end <= outer,
                "{begin}-{end} leaves its outer slice, which ends at {outer}"
            );
        }
        open.push((begin, end));
    }
}

fn names(events: &[Value], what: &str) -> BTreeMap<Track, String> {
    of_phase(events, "M")
        .filter(|event| event["name"] == what)
        .map(|event| {
            let name = event["args"]["name"].as_str().unwrap();
            (track(event), name.to_owned())
        })
        .collect()
}

#[test]
fn tracks_have_names_and_slices_do_not_overlap() {
    let events = trace(&synthetic::example());
    let slices = slices(&events);
    let tracks = names(&events, "thread_name");
    let groups = names(&events, "process_name");
    assert_eq!(
        slices.keys().collect::<Vec<_>>(),
        tracks.keys().collect::<Vec<_>>()
    );
    for (track, slices) in &slices {
        assert!(groups.contains_key(&(track.0, 0)), "{track:?}");
        check_nesting(slices);
    }
    let named: BTreeSet<&str> = tracks.values().map(String::as_str).collect();
    // Nothing of the example overlaps: all names are different.
    assert_eq!(named.len(), tracks.len());
    for expected in [
        "queue 1 (cluster 0)",
        "queue 2 (cluster 0, out of order)",
        "array 23",
        "array 0, channel 1",
        "thread 1",
    ] {
        assert!(named.contains(expected), "{expected}: {named:?}");
    }
    // One thread, two queues, 24 arrays with two channels each.
    assert_eq!(tracks.len(), 1 + 2 + 24 + 48);
}

#[test]
fn what_an_array_does_fills_its_launch() {
    let events = trace(&synthetic::example());
    let tracks = names(&events, "thread_name");
    let of_array: Vec<_> = of_phase(&events, "X")
        .filter(|event| tracks[&track(event)] == "array 1")
        .collect();
    let kernels: Vec<_> = of_array
        .iter()
        .filter(|event| event["cat"] == "kernel")
        .collect();
    assert_eq!(kernels.len(), 4);
    let multiply = kernels[0];
    assert_eq!(multiply["name"], "multiply");
    let begin = nanoseconds(&multiply["ts"]);
    let end = begin + nanoseconds(&multiply["dur"]);
    let inner: u64 = of_array
        .iter()
        .filter(|event| event["cat"] == "activity")
        .map(|event| (nanoseconds(&event["ts"]), nanoseconds(&event["dur"])))
        .filter(|&(start, _)| (begin..end).contains(&start))
        .map(|(_, duration)| duration)
        .sum();
    // Only idle time between its last group and the end is not drawn.
    let idle = 10 * (22 - 1) * 1_000_000_000 / 1_200_000_000;
    assert!(
        (end - begin - inner).abs_diff(idle) <= 2,
        "{begin} {end} {inner}"
    );
}

#[test]
fn flows_have_both_ends_in_slices() {
    let process = synthetic::example();
    let events = trace(&process);
    let slices = slices(&events);
    let mut flows: BTreeMap<u64, Vec<&Value>> = BTreeMap::new();
    for event in events.iter().filter(|event| event.get("id").is_some()) {
        flows
            .entry(event["id"].as_u64().unwrap())
            .or_default()
            .push(event);
    }
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for ends in flows.values() {
        let [start, finish] = ends[..] else {
            panic!("{ends:?}");
        };
        assert_eq!((&start["ph"], &finish["ph"]), (&"s".into(), &"f".into()));
        assert_eq!(finish["bp"], "e");
        assert_eq!(start["name"], finish["name"]);
        assert!(
            nanoseconds(&start["ts"]) <= nanoseconds(&finish["ts"]),
            "{ends:?}"
        );
        for end in ends {
            let time = nanoseconds(&end["ts"]);
            let mut slices = slices[&track(end)].iter();
            assert!(
                slices.any(|&(begin, end)| (begin..end).contains(&time)),
                "{end:?}"
            );
        }
        *kinds.entry(start["name"].as_str().unwrap()).or_default() += 1;
    }
    let transfers: usize = process
        .commands
        .iter()
        .filter_map(|command| Some(command.report.as_ref()?.timing.transfer_slices.len()))
        .sum();
    assert_eq!(kinds["DMA wait"], transfers);
    assert_eq!(kinds["enqueue"], process.commands.len());
    assert_eq!(kinds["wait list"], 4);
}

#[test]
fn commands_at_the_same_time_get_rows_of_their_own() {
    let mut process = synthetic::example();
    // Two launches of the out-of-order queue at once, on the same arrays.
    let mut twin = process.commands[4].clone();
    twin.number = 99;
    process.commands.push(twin);
    let events = trace(&process);
    slices(&events)
        .values()
        .for_each(|slices| check_nesting(slices));
    let tracks = names(&events, "thread_name");
    assert!(
        tracks.values().any(|name| name == "array 7 (2)"),
        "{tracks:?}"
    );
}

#[test]
fn without_pieces_of_time_arrays_have_one_slice_for_a_launch() {
    let mut process = synthetic::example();
    for command in &mut process.commands {
        if let Some(report) = &mut command.report {
            report.timing.slices.clear();
            report.timing.transfer_slices.clear();
        }
    }
    let events = trace(&process);
    let of_arrays = of_phase(&events, "X").filter(|event| event["args"].get("command").is_some());
    assert_eq!(of_arrays.count(), 4 * 24);
}
