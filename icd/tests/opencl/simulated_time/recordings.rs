//! `MOCL3_RECORD`: what processes leave behind.

use super::processes::PROGRAM;
use crate::process::{compile, run_with};
use crate::session::vendors;
use recording::{Process, read_folder};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Runs a program that has been compiled, and reads its recording.
pub fn recorded(program: &Path, more: &[(&str, &str)]) -> Process {
    let folder = tempfile::tempdir().unwrap();
    // The folder is made.
    let inner = folder.path().join("a/b");
    let mut variables = vec![("MOCL3_RECORD", inner.to_str().unwrap())];
    variables.extend(more);
    run_with(program, &variables);
    only_process(&inner)
}

fn only_process(folder: &Path) -> Process {
    let mut processes = read_folder(folder).unwrap();
    assert_eq!(processes.len(), 1);
    processes.remove(0)
}

#[test]
fn each_command_is_recorded_with_its_times() {
    let printed = run_with(&PROGRAM, &[]);
    let process = recorded(&PROGRAM, &[]);
    assert_eq!(process.commands.len(), printed.lines().count());
    for (line, command) in printed.lines().zip(&process.commands) {
        let times = [command.queued, command.submit, command.start, command.end];
        let times = times.map(|time| time.to_string()).join(" ");
        assert!(line.ends_with(&times), "{line}: {command:?}");
        assert_eq!(command.status, 0);
        assert!(command.host_begin <= command.host_end);
    }
    let of = |name: &str| {
        let place = printed
            .lines()
            .position(|line| line.rsplitn(5, ' ').last() == Some(name));
        &process.commands[place.unwrap()]
    };
    let spin = of("spin");
    assert_eq!(spin.kind, "CL_COMMAND_NDRANGE_KERNEL");
    assert_eq!(spin.kernel.as_deref(), Some("spin"));
    assert_eq!(
        (&spin.global_size[..], &spin.local_size[..]),
        (&[1 << 14][..], &[16][..])
    );
    assert_eq!(spin.moved, 1 << 16, "the buffer comes from the host");
    let migration = spin.migration.unwrap();
    assert_eq!(migration.bytes, 1 << 16);
    assert!(spin.submit <= migration.begin && migration.begin < migration.end);
    assert!(migration.end <= spin.start);
    assert_eq!(of("write").migration, None, "it is the transfer itself");
    assert_eq!((spin.device, spin.first_array, spin.arrays), (0, 0, 24));
    let half = of("second half");
    assert_eq!((half.device, half.first_array, half.arrays), (1, 12, 12));
    assert_eq!((of("write").bytes, of("write").moved), (1 << 16, 1 << 16));
    assert_eq!(of("fill").bytes, 1 << 14);
    assert_eq!(of("copy").waited_for[..], [of("write").number]);
    assert!(of("spin").in_order && !of("gated").in_order);
    assert_ne!(of("spin").queue, of("spin elsewhere").queue);

    let [program] = &process.programs[..] else {
        panic!("{:?}", process.programs);
    };
    assert_eq!(spin.program, Some(program.number));
    assert!(program.files[0].text.contains("kernel void sum"));
    let header = &process.header;
    assert_eq!((header.clock, header.lanes), (1_200_000_000, 16));
    assert_eq!(header.devices.len(), 4);
    assert!(header.arguments[0].ends_with("simulated_time"));
    // Published: 2.76 TFLOP/s of double precision by 24 arrays.
    assert_eq!(header.peaks.double * 24, 2_764_800_000_000);
}

#[test]
fn calls_are_recorded_by_both_clocks() {
    let process = recorded(&PROGRAM, &[]);
    let calls = &process.calls;
    assert!(calls.is_sorted_by_key(|call| call.begin));
    for call in calls {
        assert!(call.begin <= call.end && call.host_begin <= call.host_end);
        assert_eq!(call.thread, 1);
        let enqueues = call.function.starts_with("clEnqueue");
        assert_eq!(call.command.is_some(), enqueues, "{call:?}");
    }
    let numbers: Vec<_> = calls.iter().filter_map(|call| call.command).collect();
    let all: Vec<_> = (1..=process.commands.len() as u64).collect();
    assert_eq!(numbers, all);
    let mut waits = calls.iter().filter(|call| call.function == "clFinish");
    assert!(waits.any(|call| call.begin < call.end));
    let last = calls.last().unwrap();
    let end = process.end.expect("the last line");
    assert_eq!(end.time, last.end);
    assert!(end.host_time >= last.host_end);
}

/// Commands of queues without profiling too, and of processes that release nothing, or late.
#[test]
fn processes_end_with_the_last_line_however_they_end() {
    let late = recorded(&compile("release_after_main"), &[]);
    let last = late.calls.last().unwrap();
    assert!(last.function.starts_with("clRelease"), "{last:?}");
    assert!(late.end.is_some());
    assert!(recorded(&compile("exit_busy"), &[]).end.is_some());
    let parent = recorded(&compile("fork_after_use"), &[]);
    assert!(!parent.commands.is_empty() && parent.end.is_some());
}

/// As with `multiprocessing` in Python, if parent or children look for platforms first.
#[test]
fn processes_that_fork_before_they_use_devices_are_recorded_each() {
    let folder = tempfile::tempdir().unwrap();
    let variable = ("MOCL3_RECORD", folder.path().to_str().unwrap());
    let program = compile("fork_before_use");
    run_with(&program, &[]);
    run_with(&program, &[variable]);
    let processes = read_folder(folder.path()).unwrap();
    assert_eq!(processes.len(), 2);
    for process in processes {
        assert_eq!(process.commands.len(), 1);
        assert!(process.end.is_some());
        let mut calls = process.calls.iter().map(|call| &call.function);
        assert!(calls.any(|function| function == "clGetPlatformInfo"));
    }
}

#[test]
fn a_process_that_is_killed_leaves_what_ended_before() {
    let folder: TempDir = tempfile::tempdir().unwrap();
    let status = Command::new(compile("killed"))
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_RECORD", folder.path())
        .status()
        .unwrap();
    assert!(!status.success());
    let process = only_process(folder.path());
    assert_eq!(process.commands[0].number, 1);
    assert!(process.end.is_none());
}

#[test]
fn a_folder_that_cannot_be_made_is_no_obstacle() {
    let program = compile("counters");
    let output = Command::new(program)
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_RECORD", "/dev/null/folder")
        .output()
        .unwrap();
    assert!(output.status.success());
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(warning.contains("MOCL3_RECORD"), "{warning}");
}

/// In one block, since lanes go through all of it: each operation counts for the lanes that do it.
#[test]
fn floating_point_operations_are_those_of_work_items_that_do_them() {
    let process = recorded(&compile("some_of_the_lanes"), &[]);
    let report = process.commands[0].report.as_ref().unwrap();
    let totals = &report.totals;
    assert_eq!(report.lanes, 16);
    assert_eq!(totals.single_flops, 2 * 1024 + 1024 / 4 + 1024 / 2);
    assert!(totals.active_lanes < totals.lane_slots, "{totals:?}");
}

#[test]
fn lines_are_those_of_all_sources_and_headers() {
    let process = recorded(&compile("linked_sources"), &[]);
    let report = process.commands[0].report.as_ref().unwrap();
    let files = &process.programs[0].files;
    let mut texts: Vec<&str> = report
        .lines
        .iter()
        .map(|line| {
            let file = files.iter().find(|file| file.name == line.file).unwrap();
            file.text.lines().nth(line.line as usize - 1).unwrap()
        })
        .filter(|line| !line.contains("x[get"))
        .collect();
    texts.sort_unstable();
    assert_eq!(texts, ["    return exp(more(x));", "    return sin(x);"]);
    let mut names: Vec<&str> = files.iter().map(|file| &file.name[..]).collect();
    names.sort_unstable();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names[1..] == ["program-2.cl", "program.cl"], "{names:?}");
}

/// The limit of a file's size does what a full disk does.
#[test]
fn a_full_disk_ends_the_recording_and_not_the_program() {
    let run = |blocks: &str| {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f $1; exec \"$0\""])
            .arg(&*PROGRAM)
            .arg(blocks)
            .env("OCL_ICD_VENDORS", vendors())
            .env("MOCL3_CACHE", "0")
            .env("MOCL3_RECORD", folder.path())
            .output()
            .unwrap();
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{log}");
        assert_eq!(log.matches("File too large").count(), 1, "{log}");
        read_folder(folder.path()).unwrap()
    };
    // In units of 512 bytes.
    let processes = run("20");
    assert!(!processes[0].commands.is_empty() && processes[0].end.is_none());
    assert!(run("0").is_empty());
}
