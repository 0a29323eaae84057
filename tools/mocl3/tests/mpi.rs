//! Tests of `mocl3 mpi`. Those that run programs need SimGrid, and are skipped without it.

mod library;

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process;
use tempfile::TempDir;

/// A folder with programs that smpicc compiled, or none, with a message, if there is no SimGrid.
fn compiled(sources: &[&str]) -> Option<TempDir> {
    let found = process::Command::new("smpicc").arg("--version").output();
    if found.is_err() {
        eprintln!("skipped: there is no smpicc; Debian's package libsimgrid-dev has it");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for source in sources {
        let source = root.join(source);
        let program = folder.path().join(source.file_stem().unwrap());
        let compiled = process::Command::new("smpicc")
            .args(["-O2", "-Wall", "-Werror"])
            .arg(&source)
            .args(["-lOpenCL", "-lm", "-o"])
            .arg(&program)
            .status()
            .unwrap();
        assert!(compiled.success(), "{}", source.display());
    }
    library::write_icd(folder.path());
    Some(folder)
}

fn mpi(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    command
        .arg("mpi")
        .args(arguments)
        .current_dir(folder)
        .env("OCL_ICD_VENDORS", folder)
        .env_remove("MOCL3_MACHINE")
        .env_remove("OPENCL_LAYERS");
    command
}

/// What the program printed, and the summary.
fn run(folder: &Path, arguments: &[&str]) -> (String, Value) {
    let summary = folder.join("summary.json");
    let option = format!("--json={}", summary.display());
    let arguments = [&[option.as_str()], arguments].concat();
    let output = mpi(folder, &arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    let mut summary: Value = serde_json::from_slice(&std::fs::read(summary).unwrap()).unwrap();
    // What differs in each run.
    let host = summary.as_object_mut().unwrap().remove("host").unwrap();
    assert!(host["seconds"].as_f64().unwrap() > 0.0 && host["memory"].as_u64().unwrap() > 1 << 20);
    (String::from_utf8(output.stdout).unwrap(), summary)
}

const STENCIL: &str = "../../examples/mpi/stencil.c";
const SUMMA: &str = "../../examples/mpi/summa.c";
const CONJUGATE_GRADIENT: &str = "../../examples/mpi/conjugate_gradient.c";

#[test]
fn programs_have_right_results_and_the_same_times_in_all_runs() {
    let Some(folder) = compiled(&[STENCIL, SUMMA, CONJUGATE_GRADIENT]) else {
        return;
    };
    let folder = folder.path();
    for arguments in [
        &["-n", "4", "--", "./stencil", "34", "2"][..],
        &["-n", "16", "--", "./stencil", "34", "2"],
        &["-n", "256", "--", "./stencil", "258", "1"],
        &["-n", "4", "--", "./summa", "8"],
        &[
            "-n",
            "4",
            "--topology",
            "torus",
            "--",
            "./conjugate_gradient",
            "100",
        ],
        &[
            "-n",
            "8",
            "--ranks-per-node",
            "4",
            "--",
            "./conjugate_gradient",
            "100",
        ],
    ] {
        let first = run(folder, arguments);
        assert!(first.0.contains("right"), "{arguments:?}: {}", first.0);
        for _ in 0..2 {
            assert_eq!(run(folder, arguments), first, "{arguments:?}");
        }
        let ranks: usize = arguments[1].parse().unwrap();
        assert_eq!(first.1["ranks"].as_array().unwrap().len(), ranks);
    }
}

/// Each rank has a node, so that a kernel takes as long with many ranks as with one.
#[test]
fn ranks_do_not_wait_for_kernels_of_other_nodes() {
    let Some(folder) = compiled(&[SUMMA]) else {
        return;
    };
    let folder = folder.path();
    let (_, one) = run(folder, &["-n", "1", "--", "./summa", "16"]);
    let (_, four) = run(folder, &["-n", "4", "--", "./summa", "16"]);
    let (_, shared) = run(
        folder,
        &["-n", "4", "--ranks-per-node", "4", "--", "./summa", "16"],
    );
    let opencl = |summary: &Value| summary["opencl"][1].as_u64().unwrap();
    let (one, four, shared) = (opencl(&one), opencl(&four), opencl(&shared));
    // Two products instead of one, not eight.
    assert!(four > one && four < 3 * one, "{one} {four}");
    // Four clusters of a node do as well as those of four nodes.
    assert!(shared.abs_diff(four) < four / 100, "{shared} {four}");
}

#[test]
fn the_network_costs_what_its_numbers_say() {
    let Some(folder) = compiled(&[SUMMA]) else {
        return;
    };
    let folder = folder.path();
    let time = |setting: &str| {
        let (_, summary) = run(
            folder,
            &["-n", "4", "--set", setting, "--", "./summa", "16"],
        );
        summary["time"].as_u64().unwrap()
    };
    let own = time("network.latency=500ns");
    assert!(time("network.latency=500us") > own + 1_000_000);
    // Each rank receives a block of 2 KiB of each matrix at least once.
    let slow = time("network.bandwidth=1MB/s");
    assert!(slow > own + 2 * 2 * 2048 * 1_000, "{slow} {own}");
}

#[test]
fn queries_and_callbacks_go_by_simulated_time() {
    let Some(folder) = compiled(&["tests/mpi/polls.c"]) else {
        return;
    };
    let (printed, _) = run(folder.path(), &["-n", "2", "--", "./polls"]);
    assert!(printed.starts_with("kernel "), "{printed}");
    // Without other ranks and SimGrid's time the kernel takes as long.
    assert_eq!(run(folder.path(), &["-n", "3", "--", "./polls"]).0, printed);
}

/// Each rank's kernels take as long as in a process of its own, without SimGrid.
#[test]
fn kernels_take_as_long_as_without_simgrid() {
    let source = "tests/mpi/kernel_times.c";
    let Some(folder) = compiled(&[source]) else {
        return;
    };
    let folder = folder.path();
    let lines = |file: &str| {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    run(folder, &["-n", "4", "--", "./kernel_times", "all"]);
    let compiled = process::Command::new("cc")
        .args(["-DALONE", "-O2", "-Wall", "-Werror"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(source))
        .args(["-lOpenCL", "-o", "alone"])
        .current_dir(folder)
        .status()
        .unwrap();
    assert!(compiled.success());
    for rank in ["0", "1", "2", "3"] {
        let mut command = Command::new(folder.join("alone"));
        command
            .args(["one", rank])
            .current_dir(folder)
            .env("OCL_ICD_VENDORS", folder)
            .env_remove("MOCL3_MACHINE")
            .assert()
            .success();
    }
    let all = lines("all");
    assert_eq!(all, lines("one"));
    assert_eq!(all.len(), 4);
}

/// Times are those of launches that are executed; results are not, and a line says so.
#[test]
fn shared_launches_take_the_same_time() {
    let Some(folder) = compiled(&[STENCIL]) else {
        return;
    };
    let folder = folder.path();
    let program = ["--", "./stencil", "130", "3"];
    let (_, executed) = run(folder, &[&["-n", "16"][..], &program].concat());
    let options = ["-n", "16", "--share-launches", "--json=shared.json"];
    let arguments = [&options[..], &program].concat();
    let output = mpi(folder, &arguments).output().unwrap();
    // The program checks its result.
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors.matches("results are not computed").count(), 1);
    let text = std::fs::read(folder.join("shared.json")).unwrap();
    let shared: Value = serde_json::from_slice(&text).unwrap();
    for key in ["time", "opencl"] {
        assert_eq!(shared[key], executed[key], "{key}");
    }
    let ends = |summary: &Value| {
        let ranks = summary["ranks"].as_array().unwrap().iter();
        ranks.map(|rank| rank["end"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ends(&shared), ends(&executed));
    let count = |summary: &Value, key: &str| summary["launches"][key].as_u64().unwrap();
    // Three of each rank and step: the inner rows and the two at the borders.
    assert_eq!(
        (count(&executed, "executed"), count(&executed, "shared")),
        (144, 0)
    );
    assert_eq!(
        (count(&shared, "executed"), count(&shared, "shared")),
        (3, 141)
    );
}

/// A trace replays as long as the run took, to the digits that SimGrid records. Over other networks it
/// takes at most as much longer as kernels overlap with messages: waits for kernels do not change.
#[test]
fn traces_replay_over_other_networks() {
    let Some(folder) = compiled(&[STENCIL, CONJUGATE_GRADIENT]) else {
        return;
    };
    let folder = folder.path();
    let program = ["-n", "4", "--", "./stencil", "66", "3"];
    let record = [&["--record-trace", "trace"][..], &program].concat();
    let (_, first) = run(folder, &record);
    let time = |summary: &Value| summary["time"].as_u64().unwrap();
    let replay = |setting: &str| {
        let arguments = ["--replay", "trace", "--set", setting, "--json=replay.json"];
        mpi(folder, &arguments).assert().success();
        let text = std::fs::read(folder.join("replay.json")).unwrap();
        let replayed: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(replayed["recorded"], first["time"]);
        time(&replayed)
    };
    let same = replay("network.latency=500ns");
    assert!(same.abs_diff(time(&first)) < same / 10_000, "{same}");
    let slow = replay("network.latency=500us");
    let set = ["--set", "network.latency=500us"];
    let (_, direct) = run(folder, &[&set[..], &program].concat());
    let opencl = first["opencl"][1].as_u64().unwrap();
    let (least, most) = (time(&direct), time(&direct) + opencl);
    assert!((least..most).contains(&slow), "{slow} {least} {most}");
    let again = mpi(folder, &record).output().unwrap();
    let errors = String::from_utf8_lossy(&again.stderr);
    assert!(
        !again.status.success() && errors.contains("is not empty"),
        "{errors}"
    );
    // SimGrid does not record its MPI_Sendrecv at the ends of the row of ranks.
    let other = [
        "-n",
        "4",
        "--record-trace",
        "other",
        "--",
        "./conjugate_gradient",
        "100",
    ];
    let refused = mpi(folder, &other).output().unwrap();
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && errors.contains("cannot replay"),
        "{errors}"
    );
}

/// Each rank has a track with its MPI calls, and its queue below it; the page has load balance, too.
#[test]
fn timelines_have_the_mpi_calls_of_each_rank() {
    let Some(folder) = compiled(&[STENCIL]) else {
        return;
    };
    let folder = folder.path();
    let written = |command: &str, file: &str, ranks_per_node: &str| {
        let program = ["--", "./stencil", "66", "3"];
        let mpi = ["mpi", "-n", "4", "--ranks-per-node", ranks_per_node];
        Command::new(env!("CARGO_BIN_EXE_mocl3"))
            .args([command, "-o", file, "--", env!("CARGO_BIN_EXE_mocl3")])
            .args(mpi)
            .args(program)
            .current_dir(folder)
            .env("OCL_ICD_VENDORS", folder)
            .env_remove("MOCL3_MACHINE")
            .env_remove("OPENCL_LAYERS")
            .assert()
            .success();
        std::fs::read_to_string(folder.join(file)).unwrap()
    };
    let trace: Value = serde_json::from_str(&written("trace", "trace.json", "1")).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let named = events.iter().filter(|event| event["name"] == "thread_name");
    let tracks: Vec<&str> = named
        .map(|event| event["args"]["name"].as_str().unwrap())
        .collect();
    let place = |name: &str| tracks.iter().position(|track| track.starts_with(name));
    for rank in 0..4 {
        // No call overlaps another, so that one row is enough.
        assert_eq!(place(&format!("rank {rank}, row")), None, "{tracks:?}");
        let own = place(&format!("rank {rank}: MPI and API calls")).unwrap();
        let queue = place(&format!("queue {}", rank + 1)).unwrap();
        assert!(own < queue && queue < own + 3, "{tracks:?}");
    }
    let waits = events.iter().filter(|event| event["name"] == "MPI_Waitall");
    let waits: Vec<f64> = waits.map(|event| event["dur"].as_f64().unwrap()).collect();
    // One in each step of each rank, for messages that take time.
    assert_eq!(waits.len(), 12);
    assert!(waits.iter().sum::<f64>() > 1.0);
    let page = written("report", "report.html", "1");
    for part in ["\"name\":\"rank 3\"", "\"rank 2, MPI\"", "\"MPI_Gatherv\""] {
        assert!(page.contains(part), "{part}");
    }
    let page = written("report", "shared.html", "2");
    for part in ["\"node 1, MPI\"", " (rank 3)\""] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn sweeps_vary_the_network() {
    let Some(folder) = compiled(&[CONJUGATE_GRADIENT]) else {
        return;
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    command
        .args(["sweep", "--store", "network.jsonl", "--csv", "network.csv"])
        .args(["--goal", "elapsed", "--vary"])
        .args(["machine:network.latency=500ns,8us", "--"])
        .arg(env!("CARGO_BIN_EXE_mocl3"))
        .args(["mpi", "-n", "4", "--", "./conjugate_gradient", "64"])
        .current_dir(folder.path())
        .env("OCL_ICD_VENDORS", folder.path())
        .env_remove("MOCL3_MACHINE")
        .env_remove("OPENCL_LAYERS")
        .assert()
        .success();
    let table = std::fs::read_to_string(folder.path().join("network.csv")).unwrap();
    let mut rows: Vec<(&str, f64)> = Vec::new();
    for line in table.lines().skip(1) {
        let mut cells = line.split(',');
        let latency = cells.next().unwrap().trim_matches('"');
        rows.push((latency, cells.next().unwrap().parse().unwrap()));
    }
    let elapsed = |latency| rows.iter().find(|row| row.0 == latency).unwrap().1;
    assert!(elapsed("8us") > elapsed("500ns"), "{table}");
}

/// SimGrid's own exit code is 0.
#[test]
fn an_aborted_program_fails() {
    let Some(folder) = compiled(&[STENCIL, SUMMA]) else {
        return;
    };
    for arguments in [
        ["-n", "3", "--", "./summa"],
        ["-n", "300", "--", "./stencil"],
    ] {
        let output = mpi(folder.path(), &arguments).output().unwrap();
        assert!(!output.status.success(), "{arguments:?}");
    }
}

/// SimGrid's message about it names neither OpenCL nor the cause.
#[test]
fn mpi_in_native_kernels_is_explained() {
    let Some(folder) = compiled(&["tests/mpi/native_mpi.c"]) else {
        return;
    };
    let output = mpi(folder.path(), &["-n", "2", "--", "./native_mpi"])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{errors}");
    assert!(errors.contains("native kernels, and callbacks"), "{errors}");
}

/// Times of this computer must not take the place of simulated ones.
#[test]
fn clocks_of_this_computer_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = mpi(folder.path(), &["-n", "2", "--", "/bin/true"])
        .env("MOCL3_PROFILING_TIME", "host")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{errors}");
    assert!(
        errors.contains("MOCL3_PROFILING_TIME=host is refused"),
        "{errors}"
    );
}

/// What goes wrong is named, before anything runs.
#[test]
fn wrong_use_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/bin/sh\n").unwrap();
    std::fs::write(folder.path().join("smpirun"), "").unwrap();
    let machine = folder.path().join("machine.toml");
    std::fs::write(
        &machine,
        "base = 'mt3000'\nname = 'M'\n[network]\nwidth = 3\n",
    )
    .unwrap();
    for (path, arguments, words) in [
        (
            "/nowhere",
            &["-n", "2", "--", "./script"][..],
            "libsimgrid-dev",
        ),
        (".", &["-n", "2", "--", "./script"], "no compiled program"),
        (".", &["-n", "2", "--", "./missing"], "no program ./missing"),
        (
            ".",
            &["-n", "2", "--", "/bin/true"],
            "compile it with smpicc",
        ),
        (".", &["-n", "0", "--", "./script"], "0 is not in 1..=65536"),
        (".", &["-n", "2", "--", "./script", "a b"], "blanks"),
        (
            ".",
            &[
                "-n",
                "2",
                "--simgrid",
                "smpi/simulate-computation:yes",
                "--",
                "./script",
            ],
            "is refused: simulated time would contain",
        ),
        (
            ".",
            &["-n", "2", "--machine", "machine.toml", "--", "/bin/true"],
            "network.width",
        ),
        (
            ".",
            &["-n", "2", "--topology", "ring", "--", "./script"],
            "neither fat_tree nor torus",
        ),
    ] {
        let output = mpi(folder.path(), arguments)
            .env("PATH", path)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).replace('\n', " ");
        assert!(!output.status.success(), "{arguments:?}");
        assert!(errors.contains(words), "{arguments:?}: {errors}");
    }
}

/// In a process without SimGrid the layer changes nothing.
#[test]
fn the_layer_without_simgrid_is_not_noticed() {
    let folder = tempfile::tempdir().unwrap();
    library::write_icd(folder.path());
    let program = folder.path().join("vector_add");
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/vector_add_c/vector_add.c");
    let compiled = process::Command::new("cc")
        .arg(source)
        .args(["-lOpenCL", "-o"])
        .arg(&program)
        .status()
        .unwrap();
    assert!(compiled.success());
    let layer: PathBuf = library::library().with_file_name("libmocl3_smpi.so");
    let output = |layer: &Path| {
        let mut command = Command::new(&program);
        command
            .env("OCL_ICD_VENDORS", folder.path())
            .env("OPENCL_LAYERS", layer);
        command.output().unwrap()
    };
    let (without, with) = (output(Path::new("")), output(&layer));
    assert!(without.status.success() && with.status.success());
    assert_eq!(with.stdout, without.stdout);
}
