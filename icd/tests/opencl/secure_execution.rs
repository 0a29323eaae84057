//! A program that has more rights than the user who starts it: the environment, which is that
//! user's, decides nothing in the library.

use crate::process::compile;
use crate::session::vendors;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

const OTHER_USER: u32 = 65534;
const SOURCE: &str = "kernel void k(global int *x) { *x += 41; }";

/// Whether a set-user-ID program on the file system of `path` has its owner's rights.
fn grants_rights(path: &Path) -> bool {
    let name = std::ffi::CString::new(path.as_os_str().as_encoded_bytes()).unwrap();
    // SAFETY: a structure of numbers, which may all be 0.
    let mut system: libc::statvfs = unsafe { std::mem::zeroed() };
    // SAFETY: the name ends with NUL; there is room for what the call writes.
    assert_eq!(unsafe { libc::statvfs(name.as_ptr(), &mut system) }, 0);
    system.f_flag & libc::ST_NOSUID == 0
}

/// Runs the program with variables that name files and folders below `place`, or request
/// something that can be seen.
fn run(program: &Path, place: &Path, user: u32) -> Output {
    Command::new(program)
        .args(["source", SOURCE, ""])
        .uid(user)
        .env_clear()
        .env("OCL_ICD_VENDORS", vendors())
        .env("HOME", place.join("home"))
        .env("XDG_CACHE_HOME", place.join("caches"))
        .env("MOCL3_TRACE_API", place.join("trace"))
        .env("MOCL3_DUMP", place.join("dump"))
        .env("MOCL3_RECORD", place.join("record"))
        .env("MOCL3_LOG", "debug")
        .output()
        .unwrap()
}

fn names(place: &Path) -> Vec<String> {
    let entries = fs::read_dir(place).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_set_user_id_program_reads_no_variables() {
    // SAFETY: the call only returns a number.
    if unsafe { libc::geteuid() } != 0 || !grants_rights(&std::env::temp_dir()) {
        // No other user can make a program that gains rights.
        return;
    }
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let program = place.path().join("program");
    fs::copy(compile("build_and_run"), &program).unwrap();
    for (mode, user, made) in [
        (0o4755, OTHER_USER, &[][..]),
        (0o755, 0, &["dump", "record", "trace"][..]),
    ] {
        fs::set_permissions(&program, PermissionsExt::from_mode(mode)).unwrap();
        let files = place.path().join(format!("files-{mode:o}"));
        fs::create_dir(&files).unwrap();
        let output = run(&program, &files, user);
        let text = String::from_utf8_lossy(&output.stdout);
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("result 42\n"), "{mode:o}: {text}{log}");
        assert_eq!(names(&files), made, "{mode:o}: {log}");
        assert_eq!(log.is_empty(), made.is_empty(), "{mode:o}: {log}");
    }
}
