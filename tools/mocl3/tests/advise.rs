//! `mocl3 advise` on kernels with a known defect: the advice, and what following it saves.

mod library;

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A kernel with a defect, and the change that remedies it.
struct Case {
    /// The kernel's name without `_before`.
    name: &'static str,
    /// The first advice.
    change: &'static str,
    /// Global size, local size and launches.
    before: [&'static str; 3],
    /// The kernel with the remedy, and how it is launched.
    after: (&'static str, [&'static str; 3]),
}

/// Most by which an estimate may differ from the time after the change, percent of it.
const WITHIN: f64 = 25.0;

const CASES: [Case; 12] = [
    case("rows", "coalesced", ["16384", "64", "1"], "rows_after"),
    case(
        "structs",
        "coalesced",
        ["65536", "64", "1"],
        "structs_after",
    ),
    case("stream", "dma", ["6144", "64", "1"], "stream_after"),
    case(
        "buffers",
        "double_buffered",
        ["153600", "64", "1"],
        "buffers_after",
    ),
    case(
        "transfers",
        "fewer_transfers",
        ["24576", "64", "1"],
        "transfers_after",
    ),
    case(
        "tiles",
        "larger_transfers",
        ["6144", "64", "1"],
        "tiles_after",
    ),
    case(
        "sources",
        "local_copies",
        ["24576", "512", "1"],
        "sources_after",
    ),
    Case {
        after: ("groups_before", ["3072", "128", "1"]),
        ..case("groups", "balanced", ["3072", "256", "1"], "")
    },
    case(
        "remainders",
        "balanced",
        ["36864", "64", "1"],
        "remainders_after",
    ),
    case(
        "branches",
        "all_lanes_active",
        ["98304", "64", "1"],
        "branches_after",
    ),
    case(
        "atomics",
        "one_lock_per_group",
        ["98304", "256", "1"],
        "atomics_after",
    ),
    Case {
        after: ("launches_after", ["6144", "64", "1"]),
        ..case("launches", "fewer_launches", ["6144", "64", "20"], "")
    },
];

/// A case whose kernels are launched alike.
const fn case(
    name: &'static str,
    change: &'static str,
    sizes: [&'static str; 3],
    after: &'static str,
) -> Case {
    Case {
        name,
        change,
        before: sizes,
        after: (after, sizes),
    }
}

/// Orders of commands with a defect, as `schedule.c` names them, and the change that remedies it.
const SCHEDULES: [(&str, &str); 3] = [
    ("kernels", "fused_kernels"),
    ("transfers", "overlapped_transfers"),
    ("clusters", "more_clusters"),
];

/// A program, and a folder for its recordings.
struct Program {
    folder: TempDir,
}

impl Program {
    fn new(source: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let vendors = folder.path().join("vendors");
        fs::create_dir(&vendors).unwrap();
        library::write_icd(&vendors);
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/advice");
        fs::copy(sources.join("kernels.cl"), folder.path().join("kernels.cl")).unwrap();
        library::compile(&sources.join(source), &folder.path().join("program"));
        Self { folder }
    }

    /// The JSON that a task prints of a run with these arguments.
    fn json(&self, task: &str, arguments: &[&str]) -> Value {
        self.run(&[task, "--json"], arguments)
    }

    fn run(&self, task: &[&str], arguments: &[&str]) -> Value {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
        command
            .args(task)
            .args(["--", "./program"])
            .args(arguments)
            .current_dir(self.folder.path())
            .env("OCL_ICD_VENDORS", self.folder.path().join("vendors"))
            .env_remove("MOCL3_MACHINE")
            .env_remove("MOCL3_MACHINE_SET");
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

#[test]
fn known_remedies_come_first_and_save_what_is_estimated() {
    let program = Program::new("program.c");
    let mut failures = Vec::new();
    for case in &CASES {
        let launch = |kernel: &str, [global, local, launches]: [&str; 3], task: &str| {
            program.json(task, &[kernel, global, local, launches])
        };
        let before = format!("{}_before", case.name);
        let advice = launch(&before, case.before, "advise");
        let first = &advice["findings"][0];
        let after = launch(case.after.0, case.after.1, "stat");
        let actual = after["kernels"][0]["time_ns"].as_f64().unwrap();
        failures.extend(mismatch(case.name, first, case.change, actual));
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// What is wrong with a finding, if it is not this change, or its estimate is far from the actual time after it.
fn mismatch(name: &str, finding: &Value, change: &str, actual: f64) -> Option<String> {
    let number = |key: &str| finding[key].as_f64().unwrap_or(0.0);
    let estimated = number("time_ns") - number("saved_ns");
    let line = format!(
        "{name}: {} {} → estimated {estimated}, actual {actual}: {:+.1} %",
        finding["change"],
        finding["time_ns"],
        100.0 * (estimated - actual) / actual
    );
    println!("{line}");
    let is_near = (estimated - actual).abs() <= WITHIN / 100.0 * actual;
    (finding["change"] != change || !is_near).then_some(line)
}

/// The time in which the cluster that runs kernels longest does so, ns.
fn kernels_of_busiest_cluster(stat: &Value) -> f64 {
    let clusters = stat["simulated"]["clusters"].as_array().unwrap().iter();
    let times = clusters.map(|cluster| cluster["kernels_ns"].as_f64().unwrap());
    times.fold(0.0, f64::max)
}

#[test]
fn schedules_with_the_remedy_take_what_is_estimated() {
    let program = Program::new("schedule.c");
    let mut failures = Vec::new();
    for (name, change) in SCHEDULES {
        let advice = program.json("advise", &[name, "before"]);
        let findings = advice["findings"].as_array().unwrap();
        let finding = findings.iter().find(|finding| finding["change"] == change);
        let after = program.json("stat", &[name, "after"]);
        let kernels = after["kernels"].as_array().unwrap().iter();
        let actual = match name {
            "kernels" => kernels
                .map(|kernel| kernel["time_ns"].as_f64().unwrap())
                .sum(),
            "clusters" => kernels_of_busiest_cluster(&after),
            _ => after["simulated"]["elapsed_ns"].as_f64().unwrap(),
        };
        failures.extend(mismatch(
            name,
            finding.unwrap_or(&Value::Null),
            change,
            actual,
        ));
        let again = program.json("advise", &[name, "after"]);
        let remains = again["findings"].as_array().unwrap().iter();
        failures.extend(
            remains
                .filter(|finding| finding["change"] == change)
                .filter(|finding| finding["saved_percent"].as_f64().unwrap() > WITHIN)
                .map(|finding| format!("{name}, after the change: {finding}")),
        );
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Timed code that records what groups load takes the same simulated time.
#[test]
fn what_groups_load_is_counted_without_taking_time() {
    let program = Program::new("program.c");
    let launch = ["sources_before", "24576", "512", "1"];
    let advice = program.json("advise", &launch);
    let first = &advice["findings"][0];
    let alone = program.json("stat", &launch);
    assert_eq!(first["time_ns"], alone["kernels"][0]["time_ns"]);
    // 512 work-items on 16 lanes load 2,048 floats in each of 32 rounds.
    let evidence = first["evidence"].as_str().unwrap();
    let expected = "a work-group loads 256 KiB of `a`, 8.00 KiB of them different";
    assert!(evidence.ends_with(expected), "{evidence}");
}

#[test]
fn other_local_sizes_are_predicted() {
    let program = Program::new("program.c");
    let kernel = ["groups_before", "3072"];
    let advice = program.run(
        &["advise", "--json", "--try-settings"],
        &[&kernel[..], &["256", "1"]].concat(),
    );
    let findings = advice["findings"].as_array().unwrap();
    let finding = findings
        .iter()
        .find(|finding| finding["change"] == "local_size");
    let finding = finding.unwrap_or_else(|| panic!("{findings:#?}"));
    assert_eq!(finding["title"], "use work-groups of 128");
    let after = program.json("stat", &[&kernel[..], &["128", "1"]].concat());
    let actual = after["kernels"][0]["time_ns"].as_f64().unwrap();
    let wrong = mismatch("local size", finding, "local_size", actual);
    assert!(wrong.is_none(), "{wrong:?}");
    // A kernel with local identifiers keeps its local size.
    let advice = program.run(
        &["advise", "--json", "--try-settings"],
        &["atomics_after", "98304", "256", "1"],
    );
    let findings = advice["findings"].as_array().unwrap();
    assert!(
        findings
            .iter()
            .all(|finding| finding["change"] != "local_size"),
        "{findings:#?}"
    );
}

#[test]
fn a_recording_without_alternatives_is_refused() {
    let program = Program::new("program.c");
    let command = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
        command
            .args(arguments)
            .current_dir(program.folder.path())
            .env("OCL_ICD_VENDORS", program.folder.path().join("vendors"));
        command.output().unwrap()
    };
    let launch = ["--", "./program", "rows_after", "1024", "64", "1"];
    assert!(
        command(&[&["stat", "--recording", "run"][..], &launch].concat())
            .status
            .success()
    );
    let refused = command(&["advise", "--recording", "run"]);
    assert_eq!(refused.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(errors.contains("mocl3 advise --recording"), "{errors}");
}

/// Limits are measured by OpenCL programs. Where these do not see the platform, advice on hthreads programs does
/// without, and that on others says so once.
#[test]
fn programs_for_hthreads_get_advice_without_opencl() {
    let program = Program::new("program.c");
    let (folder, recording) = (
        program.folder.path(),
        program.folder.path().join("recording"),
    );
    program.run(
        &["advise", "--json", "--recording", "recording"],
        &["rows_before", "16384", "64", "1"],
    );
    let advise = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
        command
            .args(["advise", "--recording", "recording"])
            .current_dir(folder)
            .env("OCL_ICD_VENDORS", folder.join("none"))
            .env("XDG_CACHE_HOME", folder.join("caches"))
            .env_remove("MOCL3_MACHINE")
            .env_remove("MOCL3_MACHINE_SET");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let errors = advise();
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(
        errors.starts_with("the machine's limits are not known: "),
        "{errors}"
    );
    for file in fs::read_dir(&recording).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let of_hthreads = text.replace("CL_COMMAND_NDRANGE_KERNEL", "hthread_group_exec");
        assert_ne!(of_hthreads, text);
        fs::write(&path, of_hthreads).unwrap();
    }
    assert_eq!(advise(), "");
}
