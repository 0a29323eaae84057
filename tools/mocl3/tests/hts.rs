//! Tests of `mocl3 hts`, as users and scripts call it.

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};

/// Exit code, standard output and standard error of `mocl3 hts` with that input.
fn hts(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    let command = command.arg("hts").args(arguments).write_stdin(input);
    let output = command
        .env_remove("MOCL3_MACHINE")
        .env_remove("MOCL3_MACHINE_SET")
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().expect("no signal ended it"),
        text(output.stdout),
        text(output.stderr),
    )
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn listing(name: &str) -> String {
    let path = repository("task-isa/listings").join(name);
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_program_is_assembled_and_disassembled() {
    let folder = tempfile::tempdir().unwrap();
    let words = folder.path().join("loop.hex");
    let words = words.to_str().unwrap();
    let (code, text, log) = hts(&["asm", &listing("loop.asm"), "-o", words], "");
    assert_eq!((code, text.as_str()), (0, ""), "{log}");
    let written = fs::read_to_string(words).unwrap();
    assert_eq!(
        written.lines().nth(6),
        Some("00000000000000010703000703000503"),
        "{written}"
    );
    let (code, text, log) = hts(&["dis", words], "");
    assert_eq!(code, 0, "{log}");
    let source = fs::read_to_string(listing("loop.asm")).unwrap();
    let (_, instructions) = source.split_once('\n').unwrap();
    assert_eq!(text, instructions);
}

#[test]
fn errors_name_file_line_and_column() {
    let (code, text, log) = hts(&["asm", "-"], "iir 1 2 3 4 5 6 7 8\nfir 1 2 3 4 5 6 7 8\n");
    assert_eq!((code, text.as_str()), (1, ""));
    assert!(
        log.contains("standard input:2:1: \"fir\" is neither an instruction nor a function"),
        "{log}"
    );
    let (code, _, log) = hts(&["dis", "-"], "00\n");
    assert_eq!(code, 1);
    assert!(
        log.contains("standard input:1:1: \"00\" is no word"),
        "{log}"
    );
}

#[test]
fn functions_are_those_of_the_machine_file() {
    let folder = tempfile::tempdir().unwrap();
    let machine = folder.path().join("machine.toml");
    let dsp = fs::read_to_string(repository("device-sim/machines/dsp.toml")).unwrap();
    assert!(dsp.contains("\"real_fir\""));
    fs::write(&machine, dsp.replace("\"real_fir\"", "\"filter\"")).unwrap();
    let machine = machine.to_str().unwrap();
    let program = "filter 1 1 2 1 0 0 0 0000\n";
    let (code, words, log) = hts(&["asm", "--machine", machine, "-"], program);
    assert_eq!(code, 0, "{log}");
    let (_, source, _) = hts(&["dis", "-"], &words);
    assert_eq!(source, "real_fir 1 1 2 1 0 0 0 0000\n");
    let mt3000 = repository("device-sim/machines/mt3000.toml");
    let (code, _, log) = hts(
        &["asm", "--machine", mt3000.to_str().unwrap(), "-"],
        program,
    );
    assert_eq!(code, 1);
    assert!(log.contains("MT-3000 has no accelerators"), "{log}");
}

/// The cycles of each scheduler.
fn cycles(json: &serde_json::Value) -> Vec<(&str, u64)> {
    let schedulers = json["schedulers"].as_array().unwrap().iter();
    schedulers
        .map(|row| {
            (
                row["scheduler"].as_str().unwrap(),
                row["cycles"].as_u64().unwrap(),
            )
        })
        .collect()
}

#[test]
fn a_run_shows_cycles_of_each_scheduler_and_each_accelerator() {
    let (code, text, log) = hts(&["run", "--units", "4", &listing("branch.asm")], "");
    assert_eq!(code, 0, "{log}");
    for scheduler in ["naive", "software", "hardware", "speculative"] {
        let is_row = |line: &str| line.starts_with(scheduler) && line.contains(" µs ");
        assert!(text.lines().any(is_row), "{text}");
    }
    assert!(text.contains("complex_fir 0"), "{text}");
    let (_, json, _) = hts(&["run", "--json", &listing("branch.asm")], "");
    let (_, again, _) = hts(&["run", "--json", &listing("branch.asm")], "");
    assert_eq!(json, again);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    // Two tasks, of which the longer one has 3696 cycles, before a branch that is taken.
    let expected = [
        ("naive", 921 + 3696 + 2 * 876),
        ("hardware", 3696 + 7),
        ("speculative", 3696 + 7),
    ];
    let found = cycles(&json);
    for row in expected {
        assert!(found.contains(&row), "{found:?}");
    }
    let speculative = &json["schedulers"][3];
    assert_eq!(speculative["aborted_tasks"], 8);
    assert_eq!(speculative["units"][1]["busy_cycles"], 3696);
}

#[test]
fn a_recording_of_a_run_is_read_by_the_other_commands() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("recording");
    let recording = recording.to_str().unwrap();
    let arguments = ["run", "--recording", recording, &listing("branch.asm")];
    let (code, _, log) = hts(&arguments, "");
    assert_eq!(code, 0, "{log}");
    let (code, _, log) = hts(&arguments, "");
    assert_eq!(code, 1);
    assert!(log.contains("holds a recording"), "{log}");
    let mocl3 = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_mocl3"))
            .args(arguments)
            .output()
            .unwrap();
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{log}");
        String::from_utf8(output.stdout).unwrap()
    };
    let stat = mocl3(&["stat", "--json", "--recording", recording]);
    let stat: serde_json::Value = serde_json::from_str(&stat).unwrap();
    let kernels = stat["kernels"].as_array().unwrap();
    let fir = kernels
        .iter()
        .find(|kernel| kernel["name"] == "complex_fir");
    let fir = fir.unwrap();
    assert_eq!((&fir["cycles"], &fir["failed"]), (&3696.into(), &0.into()));
    let removed = kernels.iter().find(|kernel| kernel["name"] == "fft_256");
    assert_eq!(removed.unwrap()["failed"], 1);
    for command in ["trace", "report"] {
        let output = folder.path().join(command);
        let output = output.to_str().unwrap();
        mocl3(&[command, "--recording", recording, "-o", output]);
        let text = fs::read_to_string(output).unwrap();
        assert!(text.contains("complex_fir"), "{command}");
    }
}

#[test]
fn a_trace_shows_tasks_on_their_accelerators() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("trace.json");
    let path = output.to_str().unwrap();
    let (code, _, log) = hts(&["trace", &listing("independent.asm"), "-o", path], "");
    assert_eq!(code, 0, "{log}");
    let trace: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&output).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let fir = events
        .iter()
        .find(|event| event["name"] == "adaptive_fir" && event["ph"] == "X");
    assert_eq!(fir.unwrap()["dur"], 4.384);
}

#[test]
fn errors_of_a_run_name_the_line() {
    let program = "# the first line\nmov 1 0 1f 0 0 0 0 0000\n";
    let (code, _, log) = hts(&["run", "-"], program);
    assert_eq!(code, 1);
    assert!(
        log.contains("standard input:2: there is no register 1f: the scheduler has 16"),
        "{log}"
    );
    let endless = "jump 0 0 0 0 0 0 0 0000\n";
    let (code, _, log) = hts(&["run", "--limit", "100", "-"], endless);
    assert_eq!(code, 1);
    assert!(
        log.contains("does not end within 100 instructions"),
        "{log}"
    );
}

#[test]
fn numbers_of_the_scheduler_are_set_by_an_option() {
    let push = "task_scheduler.front_end.push=1000cycles";
    let arguments = ["run", "--set", push, &listing("independent.asm")];
    let (code, text, log) = hts(&arguments, "");
    assert_eq!(code, 0, "{log}");
    assert!(
        text.contains("changed: task_scheduler.front_end.push is 1000 cycles, not 1 cycles"),
        "{text}"
    );
    assert!(text.contains("task queue empty"), "{text}");
}
