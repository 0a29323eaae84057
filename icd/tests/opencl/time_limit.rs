//! `MOCL3_TIMEOUT`: launches that take too long end with an error, and the queue continues.

use crate::process::compile;
use crate::session::vendors;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("time_limit"));

/// Bodies that never end, in compiled code, in functions that it calls, in some groups only, and
/// with barriers.
const ENDLESS: [&str; 6] = [
    "for (;;) x[i] += 1;",
    "while (x[0] != 77) ;",
    "if (i > 40) for (;;) x[1] = lgamma((float)x[i]);",
    "for (;;) { barrier(CLK_GLOBAL_MEM_FENCE); x[i] = l; }",
    r#"for (;;) if (i == 5 && (x[3]++ & 0xffffff) == 0) printf("a");"#,
    "local int t[8]; event_t e; for (;;) { e = async_work_group_copy(t, (global int *)x, 8, 0); \
     wait_group_events(1, &e); }",
];

/// What a process with a limit prints to standard output and to standard error.
fn run(limit: &str, bodies: &[&str], variables: &[(&str, &str)]) -> (String, String) {
    let output = Command::new(&*PROGRAM)
        .args(bodies)
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_TIMEOUT", limit)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    (String::from_utf8(output.stdout).unwrap(), errors)
}

fn all_end(variables: &[(&str, &str)]) {
    let (statuses, errors) = run("0.1", &ENDLESS, variables);
    let ends: Vec<&str> = statuses
        .lines()
        .map(|line| &line[line.len() - 4..])
        .collect();
    assert_eq!(ends, ["-5 0"; ENDLESS.len()], "{errors}");
    let reported = "reported: it ran for more than 0.1 s, the limit of MOCL3_TIMEOUT";
    assert_eq!(errors.matches(reported).count(), ENDLESS.len(), "{errors}");
}

#[test]
fn endless_kernels_end() {
    all_end(&[]);
}

#[test]
fn endless_kernels_without_lanes_end_on_one_thread() {
    all_end(&[("MOCL3_LANES", "0"), ("MOCL3_HOST_THREADS", "1")]);
}

#[test]
fn checked_endless_kernels_end() {
    all_end(&[("MOCL3_CHECK", "memory,barriers"), ("MOCL3_LOG", "error")]);
}

/// The simulated machine has no time for a launch that did not end; those after it do.
#[test]
fn timed_endless_kernels_end() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let (statuses, errors) = run("0.05", &ENDLESS[..3], &[("MOCL3_RECORD", folder)]);
    assert_eq!(statuses.matches("-5 0").count(), 3, "{statuses}{errors}");
}

#[test]
fn what_is_no_time_is_no_limit() {
    let (statuses, errors) = run("soon", &["x[i] = 1;"], &[]);
    assert_eq!(statuses, "0 0\n");
    assert!(
        errors.contains("MOCL3_TIMEOUT=soon: no time in seconds"),
        "{errors}"
    );
    let (statuses, errors) = run("3600", &["x[i] = 1;"], &[]);
    assert_eq!((statuses.as_str(), errors.as_str()), ("0 0\n", ""));
}
