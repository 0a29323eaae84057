//! Tests of `mocl3 trace`: the events that Perfetto reads.

mod synthetic;

use assert_cmd::Command;
use device_sim::units::Cycles;
use flate2::read::GzDecoder;
use recording::Call;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::sync::Arc;

fn trace(process: &recording::Process) -> Vec<Value> {
    trace_of(&[process])
}

fn trace_of(processes: &[&recording::Process]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    for process in processes {
        synthetic::write(process, folder.path());
    }
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

/// Slices are disjoint or nested.
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
    assert_eq!(
        slices.keys().collect::<Vec<_>>(),
        tracks.keys().collect::<Vec<_>>()
    );
    for slices in slices.values() {
        check_nesting(slices);
    }
    let named: BTreeSet<&str> = tracks.values().map(String::as_str).collect();
    // Nothing in the example overlaps, so that all names differ.
    assert_eq!(named.len(), tracks.len());
    let process = u64::from(std::process::id());
    let processes = BTreeMap::from([((process, 0), "program".to_owned())]);
    assert_eq!(names(&events, "process_name"), processes);
    // One thread, two queues, 24 arrays with two channels each.
    assert_eq!(tracks.len(), 1 + 2 + 24 + 48);
}

/// Names in the order in which Perfetto shows them, that of the numbers; Chrome's viewer has the
/// sort indices.
fn in_order(events: &[Value]) -> Vec<String> {
    let indices: Vec<u64> = of_phase(events, "M")
        .filter(|event| event["name"] == "thread_sort_index")
        .map(|event| event["args"]["sort_index"].as_u64().unwrap())
        .collect();
    let tracks = names(events, "thread_name");
    let numbers: Vec<u64> = tracks.keys().map(|(_, number)| *number).collect();
    assert_eq!(indices, numbers);
    tracks.into_values().collect()
}

#[test]
fn tracks_are_in_the_order_of_their_numbers() {
    let mut process = synthetic::example();
    // The first drawn queue is not the first queue.
    process.commands[0].queue = 3;
    process.commands[0].device = 1;
    process.commands[0].first_array = 8;
    process.commands[0].arrays = 16;
    let names = in_order(&trace(&process));
    assert_eq!(
        names[..8],
        [
            "thread 1: API calls",
            "queue 1 (cluster 0)",
            "queue 2 (cluster 0, out of order)",
            "queue 3 (cluster 1, arrays 8 to 23)",
            "array 0 (cluster 0)",
            "array 0, channel 0 (cluster 0)",
            "array 0, channel 1 (cluster 0)",
            "array 1 (cluster 0)",
        ]
    );
    // Perfetto puts the number of the track behind the name.
    let last = |name: &String| name.chars().last().unwrap();
    assert!(!names.iter().any(|name| last(name).is_ascii_digit()));
}

#[test]
fn processes_of_one_number_are_distinguished() {
    // As after `exec`.
    let process = synthetic::example();
    let events = trace_of(&[&process, &process]);
    let pid = u64::from(std::process::id());
    let processes: Vec<Track> = names(&events, "process_name").into_keys().collect();
    assert_eq!(processes, [(pid, 0), (pid + 10_000_000, 0)]);
    for process in processes {
        let slices = slices(&events);
        let tracks = slices.keys().filter(|(number, _)| *number == process.0);
        assert_eq!(tracks.count(), 75);
    }
}

fn call(function: &'static str, begin: u64, end: u64, command: Option<u64>) -> Call {
    Call {
        function: function.into(),
        thread: 1,
        begin,
        end,
        host_begin: 10,
        host_end: 15,
        command,
    }
}

/// The only slice at a flow's end.
fn slice_at<'a>(events: &'a [Value], end: &Value) -> &'a Value {
    let time = nanoseconds(&end["ts"]);
    let there: Vec<_> = of_phase(events, "X")
        .filter(|event| track(event) == track(end))
        .filter(|event| {
            let (begin, duration) = (nanoseconds(&event["ts"]), nanoseconds(&event["dur"]));
            (begin..begin + duration.max(1)).contains(&time)
        })
        .collect();
    assert_eq!(there.len(), 1, "{end}: {there:?}");
    there[0]
}

#[test]
fn instants_stay_outside_slices_that_begin_then() {
    let mut process = synthetic::example();
    let end = process.commands.last().unwrap().end;
    let then = end + 20;
    let number = process.commands.len() as u64;
    for marker in 1..=2 {
        let mut command = process.commands[0].clone();
        command.number = number + marker;
        command.kind = "CL_COMMAND_MARKER".into();
        (command.queued, command.submit) = (then, then);
        (command.start, command.end) = (then, then);
        process.commands.push(command);
    }
    let failed = recording::Command {
        number: number + 3,
        queue: 2,
        in_order: false,
        status: -14,
        ..process.commands.last().unwrap().clone()
    };
    process.commands.push(failed);
    process.calls = vec![
        call("clCreateBuffer", 1000, 1000, None),
        call("clSetKernelArg", 1000, 1000, None),
        call("clSetKernelArg", 1000, 1000, None),
        call("clEnqueueWriteBuffer", 1000, end, Some(1)),
        call("clFinish", end, end, None),
        call(
            "clEnqueueMarkerWithWaitList",
            end,
            end + 10,
            Some(number + 1),
        ),
        call(
            "clEnqueueMarkerWithWaitList",
            end + 10,
            then,
            Some(number + 2),
        ),
    ];
    let events = trace(&process);
    let tracks = names(&events, "thread_name");
    let on = |name: &str| -> Vec<&Value> {
        of_phase(&events, "X")
            .filter(|event| tracks[&track(event)] == name)
            .collect()
    };
    // One slice per instant, since viewers would nest several.
    let instants = on("thread 1: API calls, instant");
    let described: Vec<_> = instants
        .iter()
        .map(|event| (event["name"].as_str().unwrap(), &event["args"]))
        .collect();
    assert_eq!(
        described,
        [
            (
                "3 calls",
                &json!({ "calls": { "clCreateBuffer": 1, "clSetKernelArg": 2 }, "host time (ns)": 15 })
            ),
            ("clFinish", &json!({ "host time (ns)": 5 })),
        ]
    );
    assert_eq!(on("thread 1: API calls").len(), 3);
    let markers = on("queue 1, instant (cluster 0)");
    assert_eq!(markers.len(), 1);
    assert_eq!(markers[0]["name"], "2 × MARKER");
    assert_eq!(
        markers[0]["args"]["numbers"],
        json!([number + 1, number + 2])
    );
    let failed = &on("queue 2, instant (cluster 0, out of order)")[0];
    assert_eq!(failed["name"], "MARKER failed");
    assert_eq!(failed["args"]["failed with"], -14);
    let flows = |phase| of_phase(&events, phase).filter(|event| event["name"] == "enqueue");
    for (start, finish) in flows("s").zip(flows("f")) {
        let (call, command) = (slice_at(&events, start), slice_at(&events, finish));
        let numbers = command["args"]["numbers"].as_array();
        match numbers {
            Some(numbers) => assert!(numbers.contains(&call["args"]["command"])),
            None => assert_eq!(call["args"]["command"], command["args"]["number"]),
        }
        assert!(nanoseconds(&start["ts"]) <= nanoseconds(&finish["ts"]));
    }
    assert_eq!(flows("s").count(), 3);
}

#[test]
fn arguments_say_where_an_arrays_time_went_and_how_fast_dma_was() {
    let process = synthetic::example();
    let events = trace(&process);
    let of_kind = |category: &'static str, track_name: &'static str| {
        let tracks = names(&events, "thread_name");
        of_phase(&events, "X")
            .find(|event| event["cat"] == category && tracks[&track(event)] == track_name)
            .unwrap()
    };
    let multiply = of_kind("kernel", "array 1 (cluster 0)");
    let cycles = &multiply["args"]["cycles"];
    assert_eq!(cycles["compute"], 80_000);
    assert_eq!(cycles["DMA wait"], 30_000);
    assert!(cycles.get("memory").is_none());
    let transfer = of_kind("DMA", "array 1, channel 0 (cluster 0)");
    let duration = nanoseconds(&transfer["dur"]);
    assert_eq!(
        transfer["args"]["bytes per second"],
        4096 * 1_000_000_000 / duration
    );
}

#[test]
fn transfers_beyond_those_recorded_are_not_taken_for_none() {
    let mut process = synthetic::example();
    let not_recorded = |process: &recording::Process| -> Vec<Value> {
        let events = trace(process);
        slices(&events)
            .values()
            .for_each(|slices| check_nesting(slices));
        let slices = of_phase(&events, "X").filter(|event| event["name"] == "not recorded");
        slices.cloned().collect()
    };
    assert_eq!(not_recorded(&process).len(), 0);
    // The first half of the second launch.
    let command = &mut process.commands[2];
    let launch = Arc::make_mut(command.report.as_mut().unwrap());
    let timing = &mut launch.timing;
    let half = Cycles(timing.end.0 / 2);
    timing.transfer_slices.retain(|slice| slice.end < half);
    let rest = not_recorded(&process);
    assert_eq!(rest.len(), 24 * 2);
    let command = &process.commands[2];
    for slice in rest {
        assert_eq!(slice["args"]["command"], command.number);
        let begin = nanoseconds(&slice["ts"]);
        let end = begin + nanoseconds(&slice["dur"]);
        assert!(command.start < begin && end <= command.end, "{slice}");
    }
}

#[test]
fn what_an_array_does_fills_its_launch() {
    let events = trace(&synthetic::example());
    let tracks = names(&events, "thread_name");
    let of_array: Vec<_> = of_phase(&events, "X")
        .filter(|event| tracks[&track(event)] == "array 1 (cluster 0)")
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
    // Everything but the idle time after its last work-group is drawn.
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
        tracks
            .values()
            .any(|name| name == "array 7, row 2 (cluster 0)"),
        "{tracks:?}"
    );
}

#[test]
fn without_pieces_of_time_arrays_have_one_slice_for_a_launch() {
    let mut process = synthetic::example();
    for command in &mut process.commands {
        if let Some(report) = command.report.as_mut().map(Arc::make_mut) {
            report.timing.slices.clear();
            report.timing.transfer_slices.clear();
        }
    }
    let events = trace(&process);
    let of_arrays = of_phase(&events, "X")
        .filter(|event| event["cat"] == "kernel" && event["args"].get("command").is_some());
    assert_eq!(of_arrays.count(), 4 * 24);
}

/// The file that `mocl3 trace` writes with these arguments, and what it prints.
fn written(name: &str, arguments: &[&str]) -> (Vec<u8>, String) {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(&synthetic::example(), folder.path());
    let file = folder.path().join(name);
    let output = Command::new(env!("CARGO_BIN_EXE_mocl3"))
        .args(["trace", "-o"])
        .arg(&file)
        .arg("--recording")
        .arg(folder.path())
        .args(arguments)
        .output()
        .unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{log}");
    (fs::read(file).unwrap(), log)
}

#[test]
fn a_name_that_ends_in_gz_is_compressed() {
    let (plain, log) = written("trace.json", &[]);
    let (compressed, log_of_compressed) = written("trace.json.gz", &[]);
    assert!(compressed.len() * 3 < plain.len());
    let mut text = Vec::new();
    GzDecoder::new(&compressed[..])
        .read_to_end(&mut text)
        .unwrap();
    assert_eq!(text, plain);
    assert!(log_of_compressed.contains("before compression"));
    // The estimate of the size has three digits.
    let size = log.split(", about ").nth(1).unwrap();
    let kilobytes: f64 = size.split(" KiB").next().unwrap().parse().unwrap();
    let real = plain.len() as f64 / 1024.0;
    assert!((kilobytes / real - 1.0).abs() < 0.1, "{log}: {real}");
}

fn events_with(arguments: &[&str]) -> Vec<Value> {
    let (text, _) = written("trace.json", arguments);
    let trace: Value = serde_json::from_slice(&text).unwrap();
    trace["traceEvents"].as_array().unwrap().clone()
}

fn named<'a>(events: &'a [Value], name: &'a str) -> impl Iterator<Item = &'a Value> {
    of_phase(events, "X").filter(move |event| event["name"] == name)
}

#[test]
fn a_kernel_is_shown_with_its_calls_only() {
    let events = events_with(&["--kernel", "add"]);
    assert_eq!(named(&events, "multiply").count(), 0);
    assert_eq!(named(&events, "WRITE_BUFFER").count(), 0);
    // On the queue, and on each array.
    assert_eq!(named(&events, "add").count(), 1 + 24);
    let calls = of_phase(&events, "X").filter(|event| event["cat"] == "API");
    assert_eq!(calls.count(), 1);
}

#[test]
fn an_interval_of_time_is_shown() {
    let all = events_with(&[]);
    let launches: Vec<(u64, u64)> = named(&all, "multiply")
        .filter(|event| event["args"].get("number").is_some())
        .map(|event| {
            let begin = nanoseconds(&event["ts"]);
            (begin, begin + nanoseconds(&event["dur"]))
        })
        .collect();
    assert_eq!(launches.len(), 3);
    let (begin, end) = launches[1];
    let time = |time: u64| format!("{time}ns");
    let part = events_with(&["--from", &time(begin + 1), "--to", &time(end - 1)]);
    let shown = named(&part, "multiply").filter(|event| event["args"].get("number").is_some());
    let shown: Vec<u64> = shown.map(|event| nanoseconds(&event["ts"])).collect();
    assert_eq!(shown, [begin]);
}

#[test]
fn a_filter_that_selects_nothing_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(&synthetic::example(), folder.path());
    for filter in [["--kernel", "ad"], ["--from", "9s"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_mocl3"))
            .args(["trace", "-o", "/dev/null", "--recording"])
            .arg(folder.path())
            .args(filter)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(log.contains("no command is selected"), "{log}");
    }
}

#[test]
fn launches_that_exceed_a_memory_have_warnings() {
    let warnings = |process: &recording::Process| -> Vec<Value> {
        let events = trace(process);
        let all = of_phase(&events, "X").map(|event| event["args"]["warnings"].clone());
        all.filter(|warnings| !warnings.is_null()).collect()
    };
    assert!(warnings(&synthetic::example()).is_empty());
    let found = warnings(&synthetic::exceeding());
    assert_eq!(found.len(), 4);
    let sentence = "the stack of 512 bytes is in DDR: its part of SM has 511";
    for of_launch in found {
        assert_eq!(of_launch.as_array().unwrap().len(), 3);
        assert_eq!(of_launch[1], sentence);
    }
}
