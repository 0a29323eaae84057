//! How `mocl3` reads its arguments, as users and scripts call it.

use assert_cmd::Command;

fn mocl3(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    let output = command.args(arguments).output().unwrap();
    (
        output.status.code().expect("no signal ended it"),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn unknown_options_are_refused_with_a_suggestion() {
    for (line, suggestion) in [
        ("stat --jsn /bin/true", "--json"),
        ("trace -o t.json --recordng x", "--recording"),
        ("report --outptu r.html /bin/true", "--output"),
        ("check --sarf f /bin/true", "--sarif"),
        ("debug --bach /bin/true", "--batch"),
        ("doctor --loadr x", "--loader"),
        ("compile --emti assembly a.cl", "--emit"),
        ("opt --lst", "--list"),
        ("stta", "stat"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let (code, _, log) = mocl3(&words);
        assert_eq!(code, 2, "{line}: {log}");
        assert!(log.contains(&format!("'{suggestion}'")), "{line}: {log}");
    }
}

#[test]
fn options_after_the_program_are_its_own() {
    for line in [
        &["stat", "echo", "--jsn", "-x"][..],
        &["stat", "--", "echo", "--jsn", "-x"],
        &["check", "echo", "--jsn", "-x"],
    ] {
        let (_, text, log) = mocl3(line);
        assert_eq!(text, "--jsn -x\n", "{log}");
    }
    let (code, _, log) = mocl3(&["stat", "--", "--jsn"]);
    assert_eq!(code, 1);
    assert!(log.contains("cannot run --jsn"), "{log}");
}

#[test]
fn the_version_is_printed() {
    let expected = format!("mocl3 {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(mocl3(&["--version"]), (0, expected, String::new()));
    let (code, text, _) = mocl3(&["compile", "--version"]);
    assert_eq!(code, 0);
    assert!(text.contains(env!("CARGO_PKG_VERSION")), "{text}");
}

#[test]
fn json_goes_into_a_file_only_with_an_equals_sign() {
    let (code, _, log) = mocl3(&["stat", "--json", "/no/program"]);
    assert_eq!(code, 1);
    assert!(log.contains("cannot run /no/program"), "{log}");
    let (code, _, log) = mocl3(&["stat", "--json=/no/folder/file", "/bin/true"]);
    assert_eq!(code, 1);
    assert!(log.contains("cannot write /no/folder/file"), "{log}");
}

/// Readers such as `head` close their pipes.
#[test]
fn nothing_panics_when_the_reader_has_closed_its_pipe() {
    for task in ["doctor", "completions bash", "help stat"] {
        let script = format!("{{ sleep 0.2; \"$0\" {task}; echo \"exit $?\" >&2; }} | :");
        let mut shell = Command::new("bash");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_mocl3")]);
        let output = shell.output().unwrap();
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(
            log.contains("exit ") && !log.contains("panicked"),
            "{task}: {log}"
        );
    }
}
