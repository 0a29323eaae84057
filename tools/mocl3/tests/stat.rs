//! Tests of `mocl3 stat` on synthetic recordings.

mod synthetic;

use assert_cmd::Command;
use recording::{Line, Writer};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn stat(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    command
        .arg("stat")
        .arg("--recording")
        .arg(folder)
        .args(arguments);
    command
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(process: &recording::Process) -> Value {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(process, folder.path());
    serde_json::from_str(&output(&mut stat(folder.path(), &["--json"]))).unwrap()
}

fn sum_of(shares: &Value) -> f64 {
    let shares = shares.as_object().unwrap();
    assert_eq!(shares.len(), 8);
    shares.values().map(|share| share.as_f64().unwrap()).sum()
}

#[test]
fn shares_add_up() {
    let profile = json(&synthetic::many(60));
    let kernels = profile["kernels"].as_array().unwrap();
    assert_eq!(kernels.len(), 60);
    for kernel in kernels {
        assert!((sum_of(&kernel["shares"]) - 100.0).abs() < 1e-9);
        let arrays = kernel["per_array"].as_array().unwrap();
        assert_eq!(arrays.len(), 24);
        for array in arrays {
            assert!((sum_of(&array["shares"]) - 100.0).abs() < 1e-9);
            assert_eq!(sum_of(&array["cycles"]), kernel["cycles"].as_f64().unwrap());
        }
    }
    let times = kernels
        .iter()
        .map(|kernel| kernel["time_ns"].as_u64().unwrap());
    assert!(times.is_sorted_by(|one, next| one >= next));
}

#[test]
fn figures_follow_from_the_recording() {
    let process = synthetic::example();
    let profile = json(&process);
    let multiply = &profile["kernels"][0];
    assert_eq!(multiply["name"], "multiply");
    assert_eq!(multiply["launches"], 3);
    assert_eq!(multiply["bound"]["by"], "compute");
    // Two of three arrays do 20 rounds of 4000 + 1500 cycles, the third does 10.
    let launch = 2000 + 22 * 10 + 20 * 5500 + 600;
    assert_eq!(multiply["cycles"], 3 * launch);
    assert_eq!(
        multiply["array_cycles"]["dma_wait"],
        3 * (16 * 20 + 8 * 10) * 1500
    );
    assert_eq!(multiply["dma_transfers"], 3 * (16 * 20 + 8 * 10));
    let ddr = &multiply["bandwidth"]["ddr"];
    assert_eq!(ddr["total"], 3 * (16 * 20 + 8 * 10) * 4096);
    assert_eq!(ddr["peak"], 42.6e9);
    let seconds = 3.0 * launch as f64 / 1.2e9;
    let achieved = ddr["total"].as_f64().unwrap() / seconds;
    assert!((ddr["per_second"].as_f64().unwrap() / achieved - 1.0).abs() < 1e-4);
    let double = &multiply["flops"]["double"];
    assert!((double["peak"].as_f64().unwrap() / (24.0 * 115.2e9) - 1.0).abs() < 1e-4);
    assert_eq!(multiply["lanes_active"], 12.0);
    assert_eq!(multiply["lines"][0]["line"], 5);
    assert_eq!(
        multiply["lines"][0]["text"],
        "        c[get_global_id(0)] += tile[i] * 2.0;"
    );
    let add = &profile["kernels"][1];
    assert_eq!(add["bound"]["by"], "memory");
    let sentence = add["bound"]["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("bound by DDR"), "{sentence}");
    let simulated = &profile["simulated"];
    let end = process.commands.iter().map(|command| command.end).max();
    let queued = process.commands.iter().map(|command| command.queued).min();
    assert_eq!(simulated["elapsed_ns"], end.unwrap() - queued.unwrap());
    let cluster = &simulated["clusters"][0];
    let of_elapsed = |nanoseconds: &Value| {
        nanoseconds.as_f64().unwrap() * 100.0 / simulated["elapsed_ns"].as_f64().unwrap()
    };
    let kernels = cluster["kernels_percent"].as_f64().unwrap();
    assert!((kernels - of_elapsed(&cluster["kernels_ns"])).abs() < 1e-9);
    assert!(cluster["arrays_percent"].as_f64().unwrap() < kernels);
    assert_eq!(profile["transfers"].as_array().unwrap().len(), 2);
    assert_eq!(profile["host"]["kernel_time_ns"], 4 * 20_000);
    assert_eq!(profile["host"]["comparison"], Value::Null);
}

#[test]
fn what_kernels_exceed_is_flagged() {
    let none = json(&synthetic::example());
    assert_eq!(none["kernels"][0]["exceeded"], json!([]));
    let process = synthetic::exceeding();
    let profile = json(&process);
    for kernel in profile["kernels"].as_array().unwrap() {
        let exceeded = kernel["exceeded"].as_array().unwrap();
        let numbers = exceeded
            .iter()
            .map(|one| json!([one["memory"], one["needed"], one["available"]]));
        assert_eq!(
            numbers.collect::<Vec<_>>(),
            [
                json!(["private_memory", 2048, 2047]),
                json!(["stack", 512, 511]),
                json!(["program_cache", 4096, 2048]),
            ]
        );
    }
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(&process, folder.path());
    let text = output(&mut stat(folder.path(), &[]));
    for sentence in [
        "  warning: the private memory of all lanes has 2048 bytes",
        "  warning: the stack of 512 bytes is in DDR: its part of SM has 511",
        "  warning: the code of 4096 bytes exceeds the program cache of 2048",
    ] {
        assert_eq!(text.matches(sentence).count(), 2, "{sentence}: {text}");
    }
}

#[test]
fn people_read_the_same() {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(&synthetic::example(), folder.path());
    let text = output(&mut stat(folder.path(), &[]));
    for expected in [
        "MT-3000, 1.20 GHz",
        "multiply (64×1)",
        "add (256)",
        "bound by compute",
        "12.0 of 16",
        "CL_COMMAND_WRITE_BUFFER",
        "host: kernels ran for 80.0 µs on 4 host threads",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("array 23"));
    let text = output(&mut stat(folder.path(), &["--per-array"]));
    assert!(text.contains("array 23"), "{text}");
    assert!(
        text.contains("balance: the busiest array has 1.20 times"),
        "{text}"
    );
}

#[test]
fn failures_and_untimed_launches_are_reported() {
    let mut process = synthetic::example();
    process.commands[1].status = -5;
    process.commands[1].report = None;
    let profile = json(&process);
    assert_eq!(profile["kernels"][0]["failed"], 1);
    assert_eq!(profile["kernels"][0]["untimed"], 1);
    for command in &mut process.commands {
        command.report = None;
    }
    let profile = json(&process);
    assert_eq!(profile["kernels"][0]["bound"]["by"], Value::Null);
    assert_eq!(sum_of(&profile["kernels"][0]["shares"]), 0.0);
}

#[test]
fn kernels_of_other_sources_are_others() {
    let mut process = synthetic::example();
    let mut same = process.programs[0].clone();
    same.number = 2;
    let mut other = same.clone();
    other.number = 3;
    other.files[0].text.push_str("// other");
    process.programs.extend([same, other]);
    process.commands[2].program = Some(2);
    process.commands[3].program = Some(3);
    let profile = json(&process);
    let kernels = profile["kernels"].as_array().unwrap();
    let rows: Vec<_> = kernels
        .iter()
        .map(|kernel| (&kernel["name"], &kernel["program"], &kernel["launches"]))
        .collect();
    assert_eq!(
        rows,
        [
            (&"multiply".into(), &1.into(), &2.into()),
            (&"multiply".into(), &2.into(), &1.into()),
            (&"add".into(), &Value::Null, &1.into()),
        ]
    );
}

fn run(program: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_mocl3"))
        .args(["stat", "--"])
        .args(program)
        .env("OCL_ICD_VENDORS", "/no/vendors")
        .output()
        .unwrap()
}

#[test]
fn a_program_that_does_not_use_the_platform() {
    let output = run(&["sh", "-c", "echo hello"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"hello\n");
    for expected in ["nothing was recorded", "mocl3 doctor", "/no/vendors"] {
        assert!(message.contains(expected), "{message}");
    }
    let output = run(&["sh", "-c", "exit 7"]);
    assert_eq!(output.status.code(), Some(7));
    let output = run(&["sh", "-c", "kill -9 $$"]);
    assert_eq!(output.status.code(), Some(137));
    let output = run(&["/no/such/program"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("cannot run /no/such/program"), "{message}");
}

/// A program that writes a given recording instead of using the platform.
fn recorded_by_hand(process: &recording::Process) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(process, folder.path());
    let script = format!(
        "cp {}/*.jsonl $MOCL3_RECORD/; echo $MOCL3_PROFILING_TIME; exit 5",
        folder.path().display()
    );
    (folder, script)
}

#[test]
fn the_exit_code_is_passed_on_and_the_recording_kept() {
    let (_made, script) = recorded_by_hand(&synthetic::example());
    let kept = tempfile::tempdir().unwrap();
    let mut command = stat(kept.path(), &["--json", "--", "sh", "-c", &script]);
    let output = command
        .env("MOCL3_PROFILING_TIME", "host")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(5));
    // Standard output is JSON and nothing else.
    assert_eq!(output.stderr, b"\n");
    let profile: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(profile["host"]["wall_time_ns"].as_u64().unwrap() > 0);
    assert_eq!(fs::read_dir(kept.path()).unwrap().count(), 1);
    // A folder holds one recording.
    let again = stat(kept.path(), &["--", "true"]).output().unwrap();
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&again.stderr).contains("holds a recording"));
}

#[test]
fn signals_and_truncated_recordings_are_reported() {
    let mut process = synthetic::example();
    process.end = None;
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(&process, folder.path());
    let copy = format!("cp {}/*.jsonl $MOCL3_RECORD/", folder.path().display());
    let run = |script: String| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
        let output = command.args(["stat", "--", "sh", "-c", &script]).output();
        let output = output.unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("bound by"), "{text}");
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, message) = run(format!("{copy}; kill -SEGV $$"));
    assert_eq!(code, Some(139));
    assert!(
        message.starts_with("sh ended with signal: 11 (SIGSEGV)"),
        "{message}"
    );
    assert!(message.contains("breaks off"), "{message}");
    let (code, message) = run(format!("{copy}; exit 3"));
    assert_eq!(code, Some(3));
    assert!(
        message.contains("breaks off") && !message.contains("ended with"),
        "{message}"
    );
}

/// Errors are reported before the program runs, which may take long.
#[test]
fn an_unwritable_output_is_reported_before_the_program_runs() {
    let folder = tempfile::tempdir().unwrap();
    let ran = folder.path().join("ran");
    for arguments in [
        ["stat", "-o", "/no/such/folder/file"],
        ["trace", "-o", "/no/such/folder/file"],
        ["report", "-o", "/no/such/folder/file"],
        ["stat", "--recording", "/dev/null/folder"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
        let output = command.args(arguments).args(["--", "touch"]).arg(&ran);
        let output = output.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(arguments[2]), "{message}");
        assert!(!ran.exists());
    }
    // An existing file is unchanged if the program fails.
    let file = folder.path().join("before");
    fs::write(&file, "before").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    command
        .arg("stat")
        .arg("-o")
        .arg(&file)
        .args(["--", "false"]);
    command.assert().code(1);
    assert_eq!(fs::read_to_string(&file).unwrap(), "before");
}

#[test]
fn runs_with_and_without_timing() {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(&synthetic::example(), folder.path());
    let script = format!(
        "test -z \"$MOCL3_RECORD\" || cp {}/*.jsonl $MOCL3_RECORD/; echo \"$MOCL3_PROFILING_TIME.\" >> {}/modes",
        folder.path().display(),
        folder.path().display()
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    let json = output(command.args(["stat", "--json", "--compare", "--", "sh", "-c", &script]));
    let profile: Value = serde_json::from_str(&json).unwrap();
    assert!(profile["host"]["comparison"]["slowdown"].as_f64().unwrap() > 0.0);
    let modes = fs::read_to_string(folder.path().join("modes")).unwrap();
    assert_eq!(modes, ".\nhost.\nhost.\n.\n");
}

/// The words that begin with a digit; sizes in names begin with a parenthesis.
fn numbers(text: &str) -> Vec<&str> {
    let words = text.split_whitespace();
    words
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .collect()
}

#[test]
fn tables_fit_into_80_columns_with_all_numbers() {
    let mut process = synthetic::many(20);
    for command in &mut process.commands {
        if let Some(name) = &mut command.kernel {
            *name = format!("a_kernel_with_a_name_that_is_longer_than_the_terminal_{name}").into();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(&process, folder.path());
    let all = output(stat(folder.path(), &["--per-array"]).env_remove("COLUMNS"));
    assert!(all.lines().any(|line| line.chars().count() > 130), "{all}");
    let narrow = output(stat(folder.path(), &["--per-array"]).env("COLUMNS", "80"));
    for line in narrow.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    // Tables that continue repeat the names of arrays.
    let mut shown = numbers(&narrow);
    for number in numbers(&all) {
        let place = shown.iter().position(|other| *other == number);
        shown.remove(place.unwrap_or_else(|| panic!("{number} is missing: {narrow}")));
    }
    assert!(narrow.contains('…'), "{narrow}");
}

#[test]
fn files_and_pipes_have_no_colours_unless_forced() {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(&synthetic::example(), folder.path());
    let colours = |command: &mut Command| output(command).contains('\u{1b}');
    assert!(!colours(&mut stat(folder.path(), &[])));
    let forced = |arguments: &[&str]| {
        let mut command = stat(folder.path(), arguments);
        command.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
        command
    };
    assert!(colours(&mut forced(&[])));
    assert!(!colours(forced(&[]).env("NO_COLOR", "1")));
    assert!(!colours(&mut forced(&["--json"])));
    let file = folder.path().join("stat.txt");
    output(&mut forced(&["-o", file.to_str().unwrap()]));
    assert!(!fs::read_to_string(file).unwrap().contains('\u{1b}'));
}

/// 200 000 launches with 100 MiB of address space, which their commands alone would fill.
#[test]
fn very_many_launches_take_little_memory() {
    const LAUNCHES: u64 = 200_000;
    let process = synthetic::example();
    let folder = tempfile::tempdir().unwrap();
    let writer = Writer::create(folder.path(), process.header).unwrap();
    for program in process.programs {
        writer.write(&Line::Program(program)).unwrap();
    }
    let launch = process.commands[1].clone();
    let cycles = launch.report.as_ref().unwrap().timing.end.0;
    for number in 1..=LAUNCHES {
        let command = recording::Command {
            number,
            ..launch.clone()
        };
        writer.write(&Line::Command(Box::new(command))).unwrap();
    }
    writer.flush().unwrap();
    assert!(size_of::<recording::Command>() as u64 * LAUNCHES > 60 << 20);
    let mut shell = Command::new("sh");
    let script = r#"ulimit -v 102400 && exec "$0" stat --json --recording "$1""#;
    shell.args(["-c", script, env!("CARGO_BIN_EXE_mocl3")]);
    let profile: Value = serde_json::from_str(&output(shell.arg(folder.path()))).unwrap();
    assert_eq!(profile["kernels"][0]["launches"], LAUNCHES);
    assert_eq!(profile["kernels"][0]["cycles"], LAUNCHES * cycles);
    let shares = &profile["kernels"][0]["array_cycles"];
    assert_eq!(sum_of(shares) as u64, LAUNCHES * cycles * synthetic::ARRAYS);
}
