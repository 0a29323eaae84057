//! Files and folders that variables name, where they are not what they should be, or another
//! user's.

use crate::process::compile;
use crate::session::vendors;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{chown, lchown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

const OTHER_USER: u32 = 65534;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("build_and_run"));

/// Whether tests can make what another user owns.
fn is_root() -> bool {
    // SAFETY: the call only returns a number.
    unsafe { libc::geteuid() == 0 }
}

fn pipe(path: &Path) {
    let name = std::ffi::CString::new(path.as_os_str().as_encoded_bytes()).unwrap();
    // SAFETY: the name is a string with its end.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
}

/// Runs a program that looks at the devices, in 4 GB of address space; whether it saw any, and
/// its log.
fn run(variable: &str, value: &Path) -> (bool, String) {
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 4000000; exec timeout 60 \"$@\"", "sh"])
        .arg(&*PROGRAM)
        .env("OCL_ICD_VENDORS", vendors())
        .env(variable, value)
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_ne!(output.status.code(), Some(124), "{value:?} hangs: {log}");
    (output.status.success(), log)
}

#[test]
fn a_machine_file_is_a_regular_file_of_sane_size() {
    let place = tempfile::tempdir().unwrap();
    let fifo = place.path().join("pipe");
    pipe(&fifo);
    let large = place.path().join("large.toml");
    fs::write(&large, vec![b'#'; (1 << 20) + 1]).unwrap();
    for (file, what) in [
        (fifo.as_path(), "no regular file"),
        (Path::new("/dev/full"), "no regular file"),
        (place.path(), "no regular file"),
        (&large, "larger than 1048576 bytes"),
    ] {
        let (has_devices, log) = run("MOCL3_MACHINE", file);
        assert!(!has_devices, "{file:?}");
        let reported = log.contains("MOCL3_MACHINE") && log.contains(what);
        assert!(reported && log.contains("no devices"), "{file:?}: {log}");
    }
}

#[test]
fn a_trace_goes_to_ones_own_regular_file() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    pipe(&path("pipe"));
    let mut refused = vec![path("pipe"), PathBuf::from("/dev/full")];
    if is_root() {
        for name in ["theirs", "target"] {
            fs::write(path(name), "").unwrap();
        }
        chown(path("theirs"), Some(OTHER_USER), None).unwrap();
        symlink("target", path("link")).unwrap();
        lchown(path("link"), Some(OTHER_USER), None).unwrap();
        refused.extend([path("theirs"), path("link")]);
    }
    for file in &refused {
        let (runs, log) = run("MOCL3_TRACE_API", file);
        assert!(runs, "{file:?}: {log}");
        assert!(log.contains("no trace"), "{file:?}: {log}");
    }
    for name in ["theirs", "target"].iter().filter(|_| is_root()) {
        assert_eq!(fs::metadata(path(name)).unwrap().len(), 0, "{name}");
    }
    symlink("mine", path("own-link")).unwrap();
    let (runs, log) = run("MOCL3_TRACE_API", &path("own-link"));
    assert!(runs && log.is_empty(), "{log}");
    let trace = fs::read_to_string(path("mine")).unwrap();
    assert!(trace.contains("clCreateContext("), "{trace}");
}

#[test]
fn dumps_do_not_follow_links_of_other_users() {
    if !is_root() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    fs::create_dir(path("mine")).unwrap();
    symlink("mine", path("link")).unwrap();
    lchown(path("link"), Some(OTHER_USER), None).unwrap();
    for variable in ["MOCL3_DUMP", "MOCL3_RECORD"] {
        let output = Command::new(&*PROGRAM)
            .args(["source", "kernel void k(global int *x) { *x = 7; }", ""])
            .env("OCL_ICD_VENDORS", vendors())
            .env(variable, path("link"))
            .output()
            .unwrap();
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{log}");
        assert!(log.contains(variable), "{log}");
        assert!(log.contains("another user"), "{log}");
    }
    assert_eq!(fs::read_dir(path("mine")).unwrap().count(), 0);
}

#[test]
fn a_cache_that_another_user_exchanges_is_used_as_it_was_found() {
    if !is_root() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let theirs = place.path().join("theirs");
    let path = |name: &str| theirs.join(name);
    fs::create_dir(&theirs).unwrap();
    fs::create_dir(path("evil")).unwrap();
    let file = place.path().join("file");
    fs::write(&file, "precious").unwrap();
    symlink(&file, path("evil/.mocl3-written")).unwrap();
    let mut program = Command::new(compile("two_builds"))
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_CACHE", "1")
        .env("MOCL3_CACHE_DIR", path("cache"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut output = BufReader::new(program.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    let entries = |name: &str| fs::read_dir(path(name)).unwrap().count();
    let before = entries("cache");
    assert!(before > 0);
    fs::rename(path("cache"), path("old")).unwrap();
    symlink("evil", path("cache")).unwrap();
    for name in ["", "evil", "evil/.mocl3-written", "cache"] {
        lchown(path(name), Some(OTHER_USER), None).unwrap();
    }
    program.stdin.take().unwrap().write_all(b"\n").unwrap();
    assert!(program.wait().unwrap().success());
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    assert_eq!(entries("evil"), 1);
    assert!(entries("old") > before);
}
