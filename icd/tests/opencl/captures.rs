//! `MOCL3_CAPTURE`: launches as they are written to be run again elsewhere.

use crate::process::compile;
use crate::session::vendors;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("captured"));

/// Runs `tests/programs/captured.c` with a folder for captures.
fn run(folder: &Path, variables: &[(&str, &str)]) -> Output {
    let output = Command::new(&*PROGRAM)
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_CAPTURE", folder)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

/// The captured launches and their folders, in their order.
fn launches(folder: &Path) -> Vec<(Value, PathBuf)> {
    let entries = fs::read_dir(folder).unwrap();
    let mut folders: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let read = |folder: PathBuf| {
        let text = fs::read_to_string(folder.join("launch.json")).unwrap();
        (serde_json::from_str(&text).unwrap(), folder)
    };
    folders.into_iter().map(read).collect()
}

fn kernels(launches: &[(Value, PathBuf)]) -> Vec<&str> {
    let names = launches.iter().map(|(launch, _)| &launch["kernel"]);
    names.map(|name| name.as_str().unwrap()).collect()
}

fn integers(path: &Path) -> Vec<i32> {
    let bytes = fs::read(path).unwrap();
    let (words, _) = bytes.as_chunks();
    words.iter().map(|word| i32::from_ne_bytes(*word)).collect()
}

#[test]
fn a_launch_has_what_is_needed_to_run_it_again() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &[]);
    let launches = launches(folder.path());
    assert_eq!(kernels(&launches), ["scale", "scale", "both", "picture"]);
    let (scale, place) = &launches[0];
    assert_eq!(scale["version"], 1);
    assert_eq!(scale["options"], "-DUNUSED=1");
    assert_eq!(scale["work_dimensions"], 1);
    assert_eq!(scale["global_size"], json!([8, 1, 1]));
    assert_eq!(scale["local_size"], json!([4, 1, 1]));
    assert_eq!(
        scale["arguments"],
        json!([
            {"name": "x", "type": "int*", "kind": "buffer", "memory": 0, "offset": 0},
            {"name": "copy", "type": "int*", "kind": "local", "bytes": 16},
            {"name": "by", "type": "int", "kind": "value", "bytes": [10, 0, 0, 0]},
            {"name": "none", "type": "int*", "kind": "null"},
        ])
    );
    assert_eq!(scale["memories"][0]["bytes"], 32);
    let before = integers(&place.join("memory0.before"));
    assert_eq!(before, [1, 2, 3, 4, 5, 6, 7, 8]);
    let after = integers(&place.join("memory0.after"));
    assert_eq!(after, [40, 30, 20, 10, 80, 70, 60, 50]);
    let binary = fs::read(place.join("program.bin")).unwrap();
    assert!(binary.starts_with(b"MOCL3BIN"));
    let source = fs::read_to_string(place.join("program.cl")).unwrap();
    assert!(source.starts_with("kernel void scale("));

    let (both, place) = &launches[2];
    let memories = both["memories"].as_array().unwrap();
    assert_eq!(memories.len(), 1, "a part is in the same memory: {both}");
    assert_eq!(both["arguments"][1]["memory"], 0);
    assert_eq!(integers(&place.join("memory0.after"))[0], 8000);
    assert_eq!(both["printed"], "printed");
    let printed = fs::read_to_string(place.join("printed")).unwrap();
    assert_eq!(printed, "8000\n");

    let (picture, place) = &launches[3];
    assert_eq!(picture["not_captured"], "images and samplers");
    assert_eq!(picture["arguments"][0]["kind"], "image");
    assert_eq!(fs::read_dir(place).unwrap().count(), 1);
}

#[test]
fn launches_and_bytes_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    let variables = [
        ("MOCL3_CAPTURE_LAUNCHES", "1"),
        ("MOCL3_CAPTURE_SIZE", "60"),
    ];
    run(folder.path(), &variables);
    let launches = launches(folder.path());
    assert_eq!(kernels(&launches), ["scale", "both", "picture"]);
    let (scale, place) = &launches[0];
    let why = scale["not_captured"].as_str().unwrap();
    assert!(why.starts_with("MOCL3_CAPTURE_SIZE: "), "{why}");
    assert_eq!(fs::read_dir(place).unwrap().count(), 1);
}

#[test]
fn launches_run_though_they_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let output = run(&file, &[]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("MOCL3_CAPTURE="), "{said}");
}
