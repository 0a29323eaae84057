//! Tests of completions and manual pages, in the shells and with the `man` that are installed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn mocl3(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    output
}

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// What bash offers for the last word of a line.
fn offered(line: &str) -> Vec<String> {
    let script = r#"
        source <("$0" completions bash)
        COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _mocl3 mocl3 "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let mut bash = Command::new("bash");
    bash.args(["-c", script, env!("CARGO_BIN_EXE_mocl3"), line]);
    let output = bash.output().unwrap();
    assert!(output.stderr.is_empty(), "{output:?}");
    text(&output).lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_subcommands_options_and_values() {
    assert_eq!(offered("mocl3 st"), ["stat"]);
    assert_eq!(offered("mocl3 stat --per"), ["--per-array"]);
    assert_eq!(offered("mocl3 compile --emit ass"), ["assembly"]);
    assert_eq!(offered("mocl3 conf"), ["conformance"]);
}

/// zsh and fish check the syntax where they are installed.
#[test]
fn other_shells_accept_their_completions() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["zsh", "fish"] {
        let script = mocl3(&["completions", shell]);
        assert!(text(&script).contains("--per-array") || text(&script).contains("per-array"));
        let file = folder.path().join(shell);
        fs::write(&file, &script.stdout).unwrap();
        if let Ok(output) = Command::new(shell).arg("-n").arg(&file).output() {
            assert!(output.status.success(), "{output:?}");
        }
    }
}

/// A page as `man` prints it; none where `man` is not installed.
fn printed(page: &Path) -> Option<String> {
    let mut man = Command::new("man");
    man.args(["--warnings", "--local-file"]).arg(page);
    man.env("MANWIDTH", "80").env("LC_ALL", "C.UTF-8");
    let output = man.output().ok()?;
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    Some(text(&output).to_owned())
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    mocl3(&["manual", folder.path().to_str().unwrap()]);
    let pages = folder.path().join("man");
    for task in [
        "stat",
        "trace",
        "report",
        "check",
        "debug",
        "compile",
        "opt",
        "doctor",
        "completions",
        "manual",
    ] {
        let page = pages.join(format!("mocl3-{task}.1"));
        let source = fs::read_to_string(&page).unwrap();
        assert!(source.contains(".SH EXAMPLES"), "{task}: {source}");
        if let Some(shown) = printed(&page) {
            let example = format!("mocl3 {task}");
            assert!(shown.contains(&example), "{shown}");
        }
    }
    // The suite's program has it.
    assert!(!pages.join("mocl3-conformance.1").exists());
    let all = fs::read_to_string(pages.join("mocl3.1")).unwrap();
    assert!(all.contains("conformance"), "{all}");
}
