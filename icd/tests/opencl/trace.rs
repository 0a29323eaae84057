//! `MOCL3_TRACE_API`: the lines that a C program gives are those of docs/environment.md.

use crate::process::compile;
use crate::session::vendors;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("trace"));

/// Runs `tests/programs/trace.c` with the variable set.
fn traced(value: &str) -> Output {
    let output = Command::new(&*PROGRAM)
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_TRACE_API", value)
        .output()
        .unwrap();
    assert!(output.status.success());
    output
}

/// Addresses, thread and duration differ from run to run.
fn masked(line: &str) -> String {
    let (call, end) = line.split_once(" [thread ").expect(line);
    let (thread, duration) = end.split_once(", ").expect(end);
    assert!(thread.parse::<u32>().is_ok(), "{line}");
    let duration = duration.strip_suffix(" us]").expect(line);
    assert!(duration.parse::<f64>().is_ok(), "{line}");
    let mut parts = call.split("0x");
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|character: char| character.is_ascii_hexdigit());
        let address = part.len() - rest.len() > 4;
        masked.push_str("0x");
        masked.push_str(if address { "…" } else { part });
        masked.push_str(if address { rest } else { "" });
    }
    masked + " [thread …, … us]"
}

/// The program's own lines, which begin after the loader's.
fn lines(text: &str) -> Vec<String> {
    let own = text
        .lines()
        .skip_while(|line| !line.starts_with("clGetDeviceIDs"));
    own.map(masked).collect()
}

#[test]
fn each_call_is_a_line() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/environment.md");
    let page = std::fs::read_to_string(page).unwrap();
    let start = page.find("clGetDeviceIDs(").unwrap();
    let example = page[start..].split("```").next().unwrap();
    let output = traced("1");
    let printed = lines(&String::from_utf8(output.stderr).unwrap());
    assert_eq!(printed.join("\n"), example.trim_end());
}

#[test]
fn the_log_has_a_sentence_for_each_call_that_fails() {
    let output = Command::new(&*PROGRAM)
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_TRACE_API", "1")
        .env("MOCL3_LOG", "debug")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut failures = 0;
    for (before, line) in lines.iter().zip(&lines[1..]) {
        let Some((name, rest)) = line.split_once('(') else {
            continue;
        };
        let Some((_, result)) = rest.rsplit_once(") = ") else {
            continue;
        };
        let (result, _) = result.split_once(" [thread ").expect(line);
        let code = result.rsplit(", ").next().expect(line);
        if code == "CL_SUCCESS" || !code.starts_with("CL_") {
            continue;
        }
        let (_, sentence) = before
            .split_once(&format!("{name}: {code}: "))
            .expect(before);
        assert!(sentence.contains(' '), "{before}");
        failures += 1;
    }
    assert_eq!(failures, 3);
}

#[test]
fn lines_go_to_the_end_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    for runs in 1..3 {
        assert!(traced(file.to_str().unwrap()).stderr.is_empty());
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.matches("\nclCreateContext(").count(), runs);
    }
}

#[test]
fn there_is_no_trace_by_default() {
    for value in ["", "0"] {
        assert!(traced(value).stderr.is_empty());
    }
    let warned = traced("/nowhere/calls").stderr;
    let warned = String::from_utf8(warned).unwrap();
    assert!(
        warned.contains("MOCL3_TRACE_API=/nowhere/calls: "),
        "{warned}"
    );
    assert_eq!(warned.lines().count(), 1);
}
