//! Program binaries between processes.

use super::process::{BuildOutput, command, place};
use std::fs;

#[test]
fn binaries_go_from_process_to_process() {
    let place = place();
    let file = place.path().join("program.bin");
    let path = file.to_str().unwrap();
    let source = "kernel void k(global int *count) { *count += (int)sqrt(81.0f); }";
    // Whether there is a cache makes no difference.
    for cache in ["0", "1", "1"] {
        let run = |words: &[&str]| {
            let mut command = command(place.path(), words);
            BuildOutput::parse(&command.env("MOCL3_CACHE", cache).output().unwrap())
        };
        run(&["save", path, source, ""]).gives(10);
        let outcome = run(&["binary", path]);
        assert!(
            outcome.text.contains("created 0 status 0"),
            "{}",
            outcome.text
        );
        assert!(outcome.gives(10).text.contains("argument int* count"));
    }
    let whole = fs::read(&file).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let output = command(place.path(), &["binary", path]).output();
        let text = BuildOutput::parse(&output.unwrap()).text;
        assert_eq!(text, "created -42 status -42\n");
    };
    refused(&whole[..whole.len() - 1]);
    // The version, whose length is at 9, begins at 10.
    let mut other_version = whole.clone();
    other_version[10] ^= 1;
    refused(&other_version);
}
