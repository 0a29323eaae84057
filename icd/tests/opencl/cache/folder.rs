//! The cache's folder: damaged, full, shared, foreign or missing.

use super::process::{BuildOutput, KINDS, SOURCE, build, command, entries, place};
use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn damaged_entries_are_ignored_and_rebuilt() {
    let place = place();
    build(place.path(), SOURCE, "").gives(42);
    for entry in entries(place.path()) {
        let whole = fs::read(&entry).unwrap();
        let inverted = |index: usize| {
            let mut bytes = whole.clone();
            bytes[index] ^= 0xFF;
            bytes
        };
        let last = whole.len() - 1;
        for damaged in [
            Vec::new(),
            whole[..whole.len() / 2].to_vec(),
            vec![0; whole.len()],
            inverted(0),
            inverted(20),
            inverted(last / 2),
            inverted(last),
        ] {
            fs::write(&entry, damaged).unwrap();
            let outcome = build(place.path(), SOURCE, "");
            assert_eq!(outcome.gives(42).cache("keeps").len(), 1, "{}", outcome.log);
            assert!(outcome.text.contains("warning: old"));
            assert_eq!(fs::read(&entry).unwrap(), whole);
        }
    }
    // Another program's entries under this one's names.
    let other = tempfile::tempdir().unwrap();
    build(other.path(), "kernel void k(global int *x) { *x = 7; }", "").gives(7);
    for (mine, theirs) in entries(place.path()).iter().zip(entries(other.path())) {
        fs::copy(theirs, mine).unwrap();
    }
    build(place.path(), SOURCE, "").gives(42).compiled_all();
}

#[test]
fn many_processes_share_a_small_cache() {
    let place = place();
    // Room for some of the programs only.
    let sizes = ["256K", "1M"];
    for round in 0..3 {
        let children: Vec<_> = (0..12)
            .map(|number| {
                let source = format!("kernel void k(global int *x) {{ *x += {}; }}", number % 8);
                command(place.path(), &["source", &source, ""])
                    .env("MOCL3_CACHE_SIZE", sizes[round % 2])
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        for (number, child) in children.into_iter().enumerate() {
            let outcome = BuildOutput::parse(&child.wait_with_output().unwrap());
            outcome.gives(1 + number as i32 % 8);
        }
    }
}

#[test]
fn processes_that_are_stopped_leave_nothing_bad() {
    let place = place();
    for number in 0..12 {
        let mut child = command(place.path(), &["source", SOURCE, ""])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(10 * number));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    build(place.path(), SOURCE, "").gives(42);
    build(place.path(), SOURCE, "").gives(42).compiled_nothing();
}

#[test]
fn programs_run_without_a_cache() {
    let place = place();
    let without = |change: &dyn Fn(&mut Command)| {
        let mut command = command(place.path(), &["source", SOURCE, ""]);
        command.env("MOCL3_LOG", "info").env_remove("MOCL3_CACHE");
        change(&mut command);
        let outcome = BuildOutput::parse(&command.output().unwrap());
        outcome.gives(42);
        assert!(entries(place.path()).is_empty());
        outcome.log
    };
    let lines = |log: &str| log.matches("no compile cache").count();
    assert_eq!(
        without(&|command| {
            command.env("MOCL3_CACHE", "0");
        }),
        ""
    );
    let log = without(&|command| {
        for variable in ["MOCL3_CACHE_DIR", "XDG_CACHE_HOME", "HOME"] {
            command.env_remove(variable);
        }
    });
    assert_eq!(lines(&log), 1, "{log}");
    let file = place.path().join("file");
    fs::write(&file, "").unwrap();
    let log = without(&|command| {
        command
            .env("MOCL3_CACHE_DIR", &file)
            .env("MOCL3_LOG", "warn");
    });
    assert_eq!(lines(&log), 1, "{log}");
    let log = without(&|command| {
        command
            .env_remove("MOCL3_CACHE_DIR")
            .env("XDG_CACHE_HOME", &file);
    });
    assert_eq!(lines(&log), 1, "{log}");
}

#[test]
fn the_users_own_folder_for_caches_is_used() {
    let place = place();
    let caches = place.path().join("caches");
    for (variable, folder) in [
        ("XDG_CACHE_HOME", caches.join("mocl3")),
        ("HOME", caches.join(".cache/mocl3")),
    ] {
        let output = command(place.path(), &["source", SOURCE, ""])
            .env_remove("MOCL3_CACHE_DIR")
            .env_remove("XDG_CACHE_HOME")
            .env(variable, &caches)
            .output();
        BuildOutput::parse(&output.unwrap())
            .gives(42)
            .compiled_all();
        assert_eq!(entries(&folder).len(), KINDS.len());
    }
}

/// Whether the tests run as root, who is not bound by permissions but can become
/// another user.
fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

#[test]
fn a_cache_on_a_full_disk_can_still_be_read() {
    let place = place();
    build(place.path(), SOURCE, "").gives(42);
    let run = |source: &str| {
        let command = command(place.path(), &[]);
        let cache: Vec<_> = command
            .get_envs()
            .map(|(name, value)| (name.to_owned(), value.unwrap().to_owned()))
            .collect();
        // No file may grow.
        let output = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
            .arg(command.get_program())
            .args(["source", source, ""])
            .envs(cache)
            .output();
        BuildOutput::parse(&output.unwrap())
    };
    run(SOURCE).gives(42).compiled_nothing();
    let other = run("kernel void k(global int *x) { *x += 2; }");
    assert!(other.gives(3).cache("keeps").is_empty(), "{}", other.log);
    assert!(other.log.contains("cannot keep"), "{}", other.log);
    // Nothing is left of what could not be written.
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), KINDS.len() + 1);
}

#[test]
fn a_read_only_folder_does_no_harm() {
    let outcome = build(Path::new("/proc"), SOURCE, "");
    assert!(
        outcome.gives(42).cache("keeps").is_empty(),
        "{}",
        outcome.log
    );
}

#[test]
fn a_folder_of_another_user_is_not_used() {
    let place = place();
    let folder = if is_root() {
        let folder = place.path().join("cache");
        build(&folder, SOURCE, "").gives(42);
        chown(&folder, Some(65534), None).unwrap();
        folder
    } else {
        PathBuf::from("/usr")
    };
    let outcome = build(&folder, SOURCE, "");
    assert!(outcome.gives(42).cache("has").is_empty());
    assert!(outcome.cache("keeps").is_empty());
    assert!(
        outcome.log.contains("belongs to another user"),
        "{}",
        outcome.log
    );
}
