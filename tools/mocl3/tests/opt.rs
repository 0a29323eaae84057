//! Tests of `mocl3 opt`, as users and scripts call it.

use assert_cmd::Command;
use std::fs;
use std::path::Path;

/// A kernel with a division that is undefined for some divisors.
const DIVISION: &str = "define spir_kernel void @divide(ptr addrspace(1) %result, i32 %a, i32 %b) {
  %quotient = udiv i32 %a, %b
  store i32 %quotient, ptr addrspace(1) %result, align 4
  ret void
}
";

fn opt() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    command.arg("opt");
    command
}

/// Exit code, standard output and standard error.
fn run(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().expect("no signal ended it"),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_pass_prints_the_module_it_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("division.ll");
    fs::write(&file, DIVISION).unwrap();
    let expected = "define spir_kernel void @divide(ptr addrspace(1) %result, i32 %a, i32 %b) {
  %1 = icmp eq i32 %b, 0
  %2 = select i1 %1, i32 1, i32 %b
  %quotient = udiv i32 %a, %2
  store i32 %quotient, ptr addrspace(1) %result, align 4
  ret void
}
";
    let result = (0, expected.to_owned(), String::new());
    assert_eq!(
        run(opt().args(["--pass", "safe_division"]).arg(&file)),
        result
    );
    let from_stdin = run(opt()
        .args(["--pass", "safe_division", "-"])
        .write_stdin(DIVISION));
    assert_eq!(from_stdin, result);
}

#[test]
fn facts_come_first_and_the_only_kernel_is_the_one_meant() {
    let (code, text, log) = run(opt()
        .args(["--pass", "uniformity", "-"])
        .write_stdin(DIVISION));
    assert_eq!((code, log.as_str()), (0, ""));
    assert!(text.starts_with("; "), "{text}");
    assert!(
        text.contains("uniform  %quotient = udiv i32 %a, %b"),
        "{text}"
    );
}

#[test]
fn settings_are_comments() {
    let (code, _, log) = run(opt()
        .args(["--pass", "constant_local_size", "-"])
        .write_stdin(DIVISION));
    assert_eq!(code, 1);
    assert!(log.contains("needs the setting `; local size"), "{log}");
    let text = format!("; local size: 16,1\n{DIVISION}");
    let (code, _, log) = run(opt()
        .args(["--pass", "constant_local_size", "-"])
        .write_stdin(text));
    assert_eq!(code, 1);
    assert!(
        log.contains("setting `local size`: there must be three"),
        "{log}"
    );
    let text = format!("; local size: 16,1,1\n{DIVISION}");
    let (code, text, _) = run(opt()
        .args(["--pass", "constant_local_size", "-"])
        .write_stdin(text));
    assert_eq!(code, 0);
    assert!(text.contains("%quotient = udiv i32 %a, %b"), "{text}");
}

#[test]
fn the_files_of_the_before_and_after_tests_are_inputs() {
    let passes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernel-compiler/tests/passes");
    let file = passes.join("vectorize/consecutive.ll");
    let text = fs::read_to_string(&file).unwrap();
    let (_, expected) = text.split_once("; ==== after ====\n").unwrap();
    let result = run(opt().args(["--pass", "vectorize"]).arg(&file));
    assert_eq!(result, (0, expected.to_owned(), String::new()));
}

#[test]
fn all_passes_are_listed() {
    let (code, text, log) = run(opt().arg("--list"));
    assert_eq!((code, log.as_str()), (0, ""));
    for name in ["printf ", "barrier_split ", "vectorize ", "cost "] {
        assert!(
            text.lines().any(|line| line.starts_with(name)),
            "{name}\n{text}"
        );
    }
}

#[test]
fn mistakes_are_named() {
    let (code, _, log) = run(opt().args(["--pass", "inline", "-"]).write_stdin(DIVISION));
    assert_eq!(code, 2);
    assert!(
        log.contains("'inline'") && log.contains("vectorize"),
        "{log}"
    );
    let (code, _, log) = run(&mut opt());
    assert_eq!(code, 2);
    assert!(
        log.contains("Usage: mocl3 opt --pass <NAME> <FILE>"),
        "{log}"
    );
    let (code, _, log) = run(opt().args(["--pass", "printf", "/no/such.ll"]));
    assert_eq!(code, 1);
    assert!(log.starts_with("error: cannot read /no/such.ll: "), "{log}");
    let (code, _, log) = run(opt().args(["--pass", "printf", "-"]).write_stdin("kernel"));
    assert_eq!(code, 1);
    assert!(
        log.starts_with("error: -: pass `printf`: the input is not LLVM IR: "),
        "{log}"
    );
    let two = format!("{DIVISION}{}", DIVISION.replace("@divide", "@other"));
    let (code, _, log) = run(opt().args(["--pass", "region", "-"]).write_stdin(two));
    assert_eq!(code, 1);
    assert!(log.contains("there is no function `k`"), "{log}");
}
